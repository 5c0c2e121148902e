import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

export default defineConfig(
  library([
    'src/index.ts',
    'src/conformance/index.ts',
    'src/host/index.ts',
    'src/host/process/*.ts',
    // Harper has its MCP registry at such a path; the code is shared with the host's own.
    'src/components/mcp/**/*.ts',
  ]),
);
