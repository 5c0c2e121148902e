import { HostError } from '../host-error.js';
import type { CoreOperation, OperationRegistry } from '../operations/operation-registry.js';
import { parseHostUser } from '../users/user.js';
import { isOperationAllowed, type AllowRules } from './operation-allowed.js';
import { operationHints } from './operation-hints.js';
import { canRoleInvokeOperation } from './operation-visibility.js';
import { setProfileToolProvider } from './tool-registry.js';
import { toolFailure, toolResult } from './tool-results.js';
import type { RegisteredTool, ToolCallContext } from './tool.js';

interface OperationsSource {
  readonly operations: OperationRegistry;
  readonly rules: AllowRules;
}

let source: OperationsSource | undefined;

/** Says where this thread's operations are, before anyone calls `registerOperationsTools`. */
export function provideOperations(operations: OperationRegistry, rules: AllowRules): void {
  source = { operations, rules };
}

/**
 * Makes every allowed operation a tool of the profile `operations`, those registered later too. Calling it again
 * changes nothing. Works without `mcp:` in the configuration, and on the main thread only.
 */
export function registerOperationsTools(): void {
  if (source === undefined) throw new HostError(501, 'Operations live on the main thread; this is a worker');
  const { operations, rules } = source;
  const get = (name: string) => {
    const operation = isOperationAllowed(name, rules) ? operations.get(name) : undefined;
    return operation === undefined ? undefined : toTool(operation, operations);
  };
  const list = () => [...operations.names].flatMap((name) => get(name) ?? []);
  setProfileToolProvider('operations', { list, get });
}

function toTool(operation: CoreOperation, operations: OperationRegistry): RegisteredTool {
  const { name } = operation;
  return {
    name,
    description: operation.description ?? `Harper operation '${name}'.`,
    inputSchema: { ...(operation.inputSchema ?? { type: 'object', additionalProperties: true }) },
    annotations: operationHints(name),
    profile: 'operations',
    visibleTo: (user) => canRoleInvokeOperation(user, name),
    async handler(args: unknown, { user }: ToolCallContext) {
      try {
        const body = { ...(typeof args === 'object' ? args : {}), operation: name };
        return toolResult(await operations.run(body, parseHostUser(user), true));
      } catch (error) {
        return toolFailure({ operation: name }, error);
      }
    },
  };
}
