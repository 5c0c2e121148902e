import type { Credentials } from '@harperfast/agent-testkit/host';

export interface SettingsOptions {
  readonly root: string;
  readonly admin: Credentials;
  readonly operationsPort: number;
  readonly appPort: number;
}

/** HarperDB's arguments for a server that asks nothing, and listens on two ports of the loopback address. */
export function settingsOf({ root, admin, operationsPort, appPort }: SettingsOptions): readonly string[] {
  const settings = {
    ROOTPATH: root,
    TC_AGREEMENT: 'yes',
    HDB_ADMIN_USERNAME: admin.username,
    HDB_ADMIN_PASSWORD: admin.password,
    // The other default lets requests of this machine in without credentials.
    DEFAULTS_MODE: 'prod',
    REPLICATION_HOSTNAME: 'localhost',
    OPERATIONSAPI_NETWORK_PORT: `127.0.0.1:${operationsPort}`,
    OPERATIONSAPI_NETWORK_SECUREPORT: 'null',
    HTTP_PORT: `127.0.0.1:${appPort}`,
    HTTP_SECUREPORT: 'null',
    MQTT_NETWORK_PORT: 'null',
    MQTT_NETWORK_SECUREPORT: 'null',
    REPLICATION_SECUREPORT: 'null',
    LOCALSTUDIO_ENABLED: 'false',
    LOGGING_LEVEL: 'warn',
    // It says there that it is up.
    LOGGING_STDSTREAMS: 'true',
  };
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
}
