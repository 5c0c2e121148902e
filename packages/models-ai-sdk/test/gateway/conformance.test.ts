import { CONFORMANCE_MODELS, describeModelGateway } from '@harperfast/agent-testkit/conformance';
import { createAiSdkGateway } from '../../src/index.js';
import { serveScript } from '../support/serve-script.js';
import { WIRES } from '../support/wire.js';

const NOT_OVER_A_WIRE = {
  'of the model as the same object': 'an error comes as an HTTP status: see call/failures.test.ts',
  'whatever the finish reason': 'a format has finish reasons of its own: see call/answers.test.ts',
  'system prompt and output limit to the model unchanged':
    'no session id is sent to a provider: see call/answers.test.ts',
  'brings the signal to the model': 'the connection is closed instead: see call/failures.test.ts',
};

for (const wire of WIRES) {
  describeModelGateway(
    `the AI SDK gateway over the wire of ${wire.name}`,
    async (model) => {
      const mock = await serveScript(model);
      const models = CONFORMANCE_MODELS.map((name) => [name, wire.model(mock, name)] as const);
      return { gateway: createAiSdkGateway(Object.fromEntries(models)), close: () => mock.stop() };
    },
    { leaveOut: { ...NOT_OVER_A_WIRE, ...wire.cannotCarry } },
  );
}
