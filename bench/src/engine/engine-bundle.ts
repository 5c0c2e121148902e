// What a host imports that ships the engine in one file.
export * from '@harperfast/agent-core';
export { z } from 'zod';
