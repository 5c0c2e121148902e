import type { ModelGateway } from '@harperfast/agent-core/contracts';
import { ScriptedModel } from '../scripted-model/scripted-model.js';
import type { StepFunction } from '../scripted-model/step.js';
import { describeChecks } from './check.js';
import type { CheckGroup } from './check.js';
import { cancelChecks } from './model-gateway/cancel-checks.js';
import { errorChecks } from './model-gateway/error-checks.js';
import type { GatewayBench } from './model-gateway/gateway-bench.js';
import { requestChecks } from './model-gateway/request-checks.js';
import { roundChecks } from './model-gateway/round-checks.js';
import { stopChecks } from './model-gateway/stop-checks.js';
import { toolCallChecks } from './model-gateway/tool-call-checks.js';

/** A gateway under test that reaches the scripted model it was made for. */
export interface OpenedGateway {
  readonly gateway: ModelGateway;
  close?(): Promise<void>;
}

/** The logical model names that requests of the suite carry; one request in most carries none and means `default`. */
export const CONFORMANCE_MODELS: readonly string[] = ['default', 'small'];

/** What of the suite does not apply to a gateway. */
export interface ModelGatewaySuiteOptions {
  /** Parts of the names of checks to leave out, each with the reason, such as what a wire cannot carry. */
  readonly leaveOut?: Readonly<Record<string, string>>;
}

/** How long a run of the suite may take before it counts as hanging. */
const DEADLINE_MS = 2000;

/** Everything the suite checks, for other test runners. */
export const modelGatewayChecks: readonly CheckGroup<GatewayBench>[] = [
  { title: 'rounds', checks: roundChecks },
  { title: 'tool calls', checks: toolCallChecks },
  { title: 'requests', checks: requestChecks },
  { title: 'stopping', checks: stopChecks },
  { title: 'errors', checks: errorChecks },
  { title: 'cancelling', checks: cancelChecks },
];

/**
 * Checks that a `ModelGateway` keeps its contract. `create` is called for every test and connects the gateway to the
 * given model under every name of `CONFORMANCE_MODELS`; where the host keeps those names from its backends, register
 * `harperBackend(model, name)` for each. Throws where `leaveOut` names what no check is called.
 */
export function describeModelGateway(
  name: string,
  create: (model: ScriptedModel) => Promise<OpenedGateway>,
  { leaveOut = {} }: ModelGatewaySuiteOptions = {},
): void {
  describeChecks(
    name,
    without(Object.keys(leaveOut)),
    () => openBench(create),
    (bench) => bench.close(),
  );
}

function without(parts: readonly string[]): readonly CheckGroup<GatewayBench>[] {
  const names = modelGatewayChecks.flatMap(({ checks }) => checks.map((check) => check.name));
  const unknown = parts.filter((part) => !names.some((name) => name.includes(part)));
  if (unknown.length > 0) throw new Error(`No check of the suite has in its name: ${unknown.join('; ')}`);
  return modelGatewayChecks.map(({ title, checks }) => ({
    title,
    checks: checks.filter((check) => !parts.some((part) => check.name.includes(part))),
  }));
}

/** One gateway and the model behind it, whose script each check sets. */
export async function openBench(
  create: (model: ScriptedModel) => Promise<OpenedGateway>,
  deadlineMs = DEADLINE_MS,
): Promise<GatewayBench> {
  let script: StepFunction = () => {
    throw new Error('The gateway asked its model before any run');
  };
  const model = new ScriptedModel((request, signal) => script(request, signal));
  const opened = await create(model);
  return {
    gateway: opened.gateway,
    model,
    deadlineMs,
    script: (next) => void (script = next),
    close: async () => opened.close?.(),
  };
}
