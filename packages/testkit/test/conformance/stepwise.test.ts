import { scriptedGateway } from '../../src/index.js';
import { describeModelGateway } from '../../src/conformance/index.js';

describeModelGateway('the stepwise gateway', async (model) => ({ gateway: scriptedGateway(model) }));
