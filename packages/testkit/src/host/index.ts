export { startHost } from './start-host.js';
export type { Credentials, EmbeddedHost, HostOptions, OperationOptions } from './embedded-host.js';
export { Models, type ModelCallRow, type ModelsOptions } from './models/models.js';
export * from './models/model-errors.js';
export type * from './models/model-types.js';
export { openTables, type OpenTablesOptions, type Tables } from './tables/open-tables.js';
export type { Table } from './tables/table.js';
export { OperationRegistry } from './operations/operation-registry.js';
