import { fileURLToPath } from 'node:url';

export { type McpHttpFixture, startMcpHttpFixture } from './http-fixture.ts';

/** Program of the fixture server over its standard streams; run it with node. */
export const MCP_FIXTURE_PROGRAM = fileURLToPath(new URL('./stdio-main.ts', import.meta.url));
