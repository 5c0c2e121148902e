import { z } from 'zod';
import { fieldOf } from '../field-of.js';
import { OperationRefusal } from './operation-refusal.js';

const definitionSchema = z.object({
  name: z.string().min(1),
  requiresSuperUser: z.boolean(),
  execute: z.custom<(body: object) => unknown>((value) => typeof value === 'function', 'is not a function'),
});

/** Operations of components, which HarperDB 4.7 itself cannot be given. */
export interface OperationRegistry {
  /** As `server.registerOperation` of Harper 5; one of the same name is replaced. Throws where it is no definition. */
  register(definition: unknown): void;
  has(name: string): boolean;
  names(): readonly string[];
  /**
   * Runs an operation as this user; with `authorize` the user has to be there, and a super_user where the operation
   * says so. Rejects with what the operation threw.
   */
  run(body: OperationBody, user: unknown, authorize: boolean): Promise<unknown>;
}

export interface OperationBody {
  readonly operation: string;
  readonly [field: string]: unknown;
}

/** Makes an empty registry; `changed` is called after every registration. */
export function createOperationRegistry(changed: () => void): OperationRegistry {
  const operations = new Map<string, z.infer<typeof definitionSchema>>();
  return {
    register(definition) {
      const parsed = definitionSchema.parse(definition);
      operations.set(parsed.name, parsed);
      changed();
    },
    has: (name) => operations.has(name),
    names: () => [...operations.keys()],
    async run(body, user, authorize) {
      const operation = operations.get(body.operation);
      if (operation === undefined) throw new OperationRefusal(400, `Operation '${body.operation}' not found`);
      if (authorize) mayRun(operation, user);
      // Last: who calls is never what the body says.
      return operation.execute({ ...body, hdb_user: user });
    },
  };
}

function mayRun({ name, requiresSuperUser }: z.infer<typeof definitionSchema>, user: unknown): void {
  const role = fieldOf(user, 'role');
  if (typeof role !== 'object' || role === null) throw new OperationRefusal(401, 'Must login');
  if (!requiresSuperUser || fieldOf(fieldOf(role, 'permission'), 'super_user') === true) return;
  throw new OperationRefusal(403, `Operation '${name}' is restricted to 'super_user' roles`);
}
