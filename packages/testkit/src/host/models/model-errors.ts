import { HostError } from '../host-error.js';
import type { ToolTraceEntry } from './model-types.js';

/** No backend has this logical name. */
export class ModelBackendNotFoundError extends HostError {
  override readonly name = 'ModelBackendNotFoundError';
  constructor(kind: string, model: string) {
    super(500, `No ${kind} model is registered as '${model}'`);
  }
}

/** The backends of this name cannot do what was asked. */
export class ModelCapabilityError extends HostError {
  override readonly name = 'ModelCapabilityError';
  constructor(model: string, missing: readonly string[]) {
    super(500, `The model '${model}' has no backend with ${missing.join(', ')}`);
  }
}

/** A backend answered that it will answer later, which callers of `generate` cannot use. */
export class ModelPendingNotSupportedError extends HostError {
  override readonly name = 'ModelPendingNotSupportedError';
  constructor(backend: string) {
    super(500, `The backend '${backend}' answered 'pending', which is not supported here`);
  }
}

/** A backend that cannot be registered. */
export class ModelBackendRegistrationError extends HostError {
  override readonly name = 'ModelBackendRegistrationError';
  constructor(message: string) {
    super(500, message);
  }
}

/** A budget of the auto mode is used up. */
export class BudgetExceededError extends HostError {
  override readonly name = 'BudgetExceededError';
  readonly kind: 'iterations' | 'tokens' | 'cost';
  readonly partialTrace: readonly ToolTraceEntry[];
  constructor(kind: BudgetExceededError['kind'], limit: number, partialTrace: readonly ToolTraceEntry[]) {
    super(429, `The ${kind} budget of ${limit} is used up`);
    this.kind = kind;
    this.partialTrace = partialTrace;
  }
}

/** A tool failed where `toolErrorMode` is `abort`; `cause` is what it threw. */
export class ToolHandlerError extends HostError {
  override readonly name = 'ToolHandlerError';
  readonly partialTrace: readonly ToolTraceEntry[];
  constructor(tool: string, cause: unknown, partialTrace: readonly ToolTraceEntry[]) {
    super(500, `The tool '${tool}' failed`, { cause });
    this.partialTrace = partialTrace;
  }
}
