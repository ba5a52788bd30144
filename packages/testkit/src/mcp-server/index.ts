import { join } from 'node:path';

export { type McpHttpFixture, startMcpHttpFixture } from './http-fixture.ts';

/** Program of the fixture server over its standard streams; run it with node. */
export const MCP_FIXTURE_PROGRAM = join(import.meta.dirname, 'stdio-main.ts');
