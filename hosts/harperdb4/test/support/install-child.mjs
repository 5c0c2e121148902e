// A process that installs HarperDB and may be killed meanwhile.
import { installHarperDb } from '../../src/install/install-harperdb.ts';

await installHarperDb((line) => console.log(line));
