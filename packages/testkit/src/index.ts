export { createFakeClock } from './clock/fake-clock.js';
export type { FakeClock } from './clock/fake-clock.js';
export { crashingStore } from './faults/crashing-store.js';
export type { CrashingStore, CrashPoint } from './faults/crashing-store.js';
export { failNth } from './faults/fail-nth.js';
export { faulty } from './faults/faulty.js';
export type { Fault, FaultyCall } from './faults/faulty.js';
export { hangUntilAborted } from './faults/hang-until-aborted.js';
export { holdNth } from './faults/hold-nth.js';
export type { Hold } from './faults/hold-nth.js';
export { harperBackend } from './scripted-model/harper-backend.js';
export type { HarperBackend } from './scripted-model/harper-backend.js';
export { registerScript } from './scripted-model/register-script.js';
export { scriptByPrompt, scriptByTranscript } from './scripted-model/script-by-transcript.js';
export type { Scenario } from './scripted-model/script-by-transcript.js';
export { scriptedGateway } from './scripted-model/scripted-gateway.js';
export {
  MalformedTranscriptError,
  UnexpectedRequestError,
  UnusedStepsError,
} from './scripted-model/scripted-model-errors.js';
export { ScriptedModel } from './scripted-model/scripted-model.js';
export type { ScriptedModelOptions } from './scripted-model/scripted-model.js';
export { answers, calls, fails, hangs, reply, SCRIPTED_USAGE } from './scripted-model/step.js';
export type { ScriptedRequest, ScriptStep, Step, StepFunction } from './scripted-model/step.js';
export { transcriptFault } from './scripted-model/transcript-fault.js';
