import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { closeServer, listenOnFreePort } from '../http-server.ts';
import type { TestCa } from '../test-ca.ts';
import { packTarball } from './tarball.ts';

/** A package registry with what it was given, and what is published to it. */
export interface NpmRegistry extends AsyncDisposable {
  readonly port: number;
  /** `https://localhost:PORT/` */
  readonly url: string;
  /** `METHOD path` of each request */
  readonly requests: readonly string[];
  /** `Authorization` of each request; undefined when there was none */
  readonly authorizations: readonly (string | undefined)[];
  /** names of what was published */
  readonly published: readonly string[];
  close(): Promise<void>;
}

/** `packages`: the text of `index.js` by name; each has the version 1.0.0. */
export async function startNpmRegistry(options: {
  readonly ca: TestCa;
  readonly packages: Readonly<Record<string, string>>;
}): Promise<NpmRegistry> {
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const published: string[] = [];
  const tarballs = new Map(
    Object.entries(options.packages).map(([name, index]) => {
      const manifest = JSON.stringify({ name, version: '1.0.0', main: 'index.js' });
      return [name, packTarball({ 'package.json': manifest, 'index.js': index })];
    }),
  );
  const server = createServer(await options.ca.issue(['localhost']), async (request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    requests.push(`${request.method} ${path}`);
    authorizations.push(request.headers.authorization);
    const body = await readAll(request);
    if (request.method === 'PUT') {
      published.push(String(JSON.parse(body.toString()).name));
      json(response, 201, { ok: true });
      return;
    }
    const [, name = '', file] = path.split('/');
    const tarball = tarballs.get(name);
    if (tarball === undefined) json(response, 404, { error: 'not found' });
    else if (file === '-') response.end(tarball);
    else json(response, 200, packument(name, tarball, `https://localhost:${port}/`));
  });
  const port = await listenOnFreePort(server);
  const close = (): Promise<void> => closeServer(server);
  return {
    port,
    url: `https://localhost:${port}/`,
    requests,
    authorizations,
    published,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function packument(name: string, tarball: Buffer, base: string): object {
  const integrity = `sha512-${hash('sha512', tarball, 'base64')}`;
  const dist = { tarball: `${base}${name}/-/${name}-1.0.0.tgz`, integrity };
  const version = { name, version: '1.0.0', main: 'index.js', dist };
  return { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
