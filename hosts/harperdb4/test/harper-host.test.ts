import type { HarperHostDifferences } from '@harperfast/agent-testkit/conformance';
import { describeHarperHost } from '@harperfast/agent-testkit/conformance';
import { startHarperDb } from '../src/index.js';
import { describeOnHarperDb } from './support/accepted.js';

const NO_REGISTERED_OPERATIONS =
  'server has no registerOperation; what this package adds is not looked at here';

/** The same as in docs/harperdb-4.md. */
const DIFFERENCES: HarperHostDifferences = {
  'hands startOnMainThread the port of the applications as a number':
    'the port is undefined where the configuration names an address with it, 127.0.0.1:9926',
  'serves an operation that a component registers, to a super_user alone where it says so':
    NO_REGISTERED_OPERATIONS,
  'hands a registered operation its body and who signed in, whatever the body says of that':
    NO_REGISTERED_OPERATIONS,
  'answers what a registered operation throws with its statusCode, and its message as the error':
    NO_REGISTERED_OPERATIONS,
  'answers the object that the error of a registered operation has as http_resp_msg, and nothing around it':
    NO_REGISTERED_OPERATIONS,
  'runs a registered operation in process, with and without enforcement': NO_REGISTERED_OPERATIONS,
  'commits no write that is made while the work of a transaction runs, when that rejects':
    'a write is in a transaction only when it is handed the context of it',
  'leaves the body of an operation in process as it was given': 'it adds hdb_user and bypass_auth',
  'adds a role in process': 'it refuses with 400 the bypass_auth that it added itself',
  'serves a plain class': 'a class has to extend Resource',
  'serves a class that extends Resource and says nothing of who may ask to anybody':
    'without static loadAsInstance = false it asks who does not sign in to do so',
  'answers a text as it is': 'it is answered as JSON, in quotes, unless the client asks for text/plain',
  'answers restart_service when the new workers serve': 'it answers the id of a job at once',
};

// HarperDB loads the components of the suite by itself here, without the parts this package adds to it.
describeOnHarperDb('HarperDB 4.7 beside Harper 5', () => {
  describeHarperHost(
    'HarperDB 4.7',
    ({ components, config }) => {
      const entries = components.map(({ name, folder, config: block }): [string, object] => [
        name,
        { package: `file:${folder}`, ...block },
      ]);
      return startHarperDb({ config: { ...config, ...Object.fromEntries(entries) } });
    },
    { differences: DIFFERENCES },
  );
});
