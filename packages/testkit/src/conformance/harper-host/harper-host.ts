import type { EmbeddedHost } from '../../host/embedded-host.js';

/** A component of the suite: a folder with `index.js`, `package.json` and `config.yaml`, and its block in the root configuration. */
export interface HarperHostComponent {
  readonly name: string;
  readonly folder: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What the suite wants a host to be started with. */
export interface HarperHostSetup {
  /** To be loaded as components of the root configuration, in this order. */
  readonly components: readonly HarperHostComponent[];
  /** Other keys of the root configuration. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** A running host as the suite uses it; `startHost` and whatever gives an `EmbeddedHost` have it all. */
export type HarperHostUnderTest = Pick<
  EmbeddedHost,
  | 'admin'
  | 'appUrl'
  | 'componentsRoot'
  | 'configPath'
  | 'kill'
  | 'logPath'
  | 'operationsUrl'
  | 'pid'
  | 'root'
  | 'start'
  | 'stop'
  | 'waitForRestart'
>;

/** Starts a host on an empty root; `stop` of what it resolves with removes everything again. */
export type StartHarperHost = (setup: HarperHostSetup) => Promise<HarperHostUnderTest>;
