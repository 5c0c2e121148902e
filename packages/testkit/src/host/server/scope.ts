import { EventEmitter } from 'node:events';
import type { HostLogger } from '../log/open-log.js';

/** What a component in the plugin form is handed on each worker, as far as it goes here. */
export interface Scope extends EventEmitter {
  readonly name: string;
  readonly server: unknown;
  readonly resources: unknown;
  readonly logger: HostLogger;
  /** The component's block in the root configuration; it does not change before the worker is replaced. */
  readonly options: { get(path: readonly string[]): unknown; getAll(): Readonly<Record<string, unknown>> };
  /** Emits `close`. */
  close(): void;
}

export interface ScopeOptions {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly given: Readonly<Record<string, unknown>>;
  readonly logger: HostLogger;
}

/** Makes the scope of one component. */
export function createScope({ name, config, given, logger }: ScopeOptions): Scope {
  const emitter = new EventEmitter();
  const read = (path: readonly string[]): unknown =>
    path.reduce<unknown>(
      (value, key) => (Object.hasOwn(Object(value), key) ? Object(value)[key] : undefined),
      config,
    );
  return Object.assign(emitter, {
    name,
    server: given['server'],
    resources: given['resources'],
    logger: logger.withTag(name),
    options: { get: read, getAll: () => config },
    close: () => void emitter.emit('close'),
  });
}
