/** The model of the integration tests: `call [[{ "name": …, "arguments": … }], …]` makes these calls, a list a round. */
export const STUB_MODEL = new URL(
  '../../../packages/harper-adapter/integrationTests/agent/stub-model.mjs',
  import.meta.url,
);
