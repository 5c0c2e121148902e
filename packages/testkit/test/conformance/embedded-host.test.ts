import { describeHarperHost } from '../../src/conformance/describe-harper-host.js';
import { startEmbedded } from './start-embedded.js';

describeHarperHost('the embedded host', (setup) => startEmbedded(setup));
