import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Transport {
  close(): Promise<void>;
}

interface Client {
  connect(transport: Transport): Promise<void>;
  callTool(call: { name: string; arguments: object }): Promise<{ content?: unknown; isError?: boolean }>;
  close(): Promise<void>;
}

interface Sdk {
  Client: new (info: { name: string; version: string }) => Client;
  StreamableHTTPClientTransport: new (url: URL, options: { requestInit: { headers: object } }) => Transport;
}

interface SdkStdio {
  StdioClientTransport: new (options: { command: string; args: readonly string[]; stderr: 'ignore' }) => Transport;
}

// The official client, the same for everyone that is measured.
const load = createRequire(join(import.meta.dirname, '../../../packages/gateway/package.json'));
const sdk = load('@modelcontextprotocol/client') as Sdk;
const stdio = load('@modelcontextprotocol/client/stdio') as SdkStdio;

/** How one target is reached. */
export type Way =
  | { readonly kind: 'http'; readonly url: string; readonly token?: string; readonly tool: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[]; readonly tool: string };

/** A connected client that calls `echo`. */
export interface EchoClient {
  echo(): Promise<void>;
  close(): Promise<void>;
}

export async function connectEcho(way: Way): Promise<EchoClient> {
  const client = new sdk.Client({ name: 'bench', version: '1.0.0' });
  const transport =
    way.kind === 'stdio'
      ? new stdio.StdioClientTransport({ command: way.command, args: way.args, stderr: 'ignore' })
      : new sdk.StreamableHTTPClientTransport(new URL(way.url), {
          requestInit: {
            headers: way.token === undefined ? {} : { authorization: `Bearer ${way.token}` },
          },
        });
  await client.connect(transport);
  return {
    async echo() {
      const { content, isError } = await client.callTool({ name: way.tool, arguments: { message: 'hello' } });
      const said = JSON.stringify(content);
      if (isError === true || !said.includes('Echo: hello')) throw new Error(`not an echo: ${said}`);
    },
    close: () => client.close(),
  };
}
