import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createTestCa, requireTools } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReach, type Reach } from './clients-fixture.ts';
import type { GrpcLibrary, GrpcServer } from './grpc-library.ts';

const tools = requireTools('clients');

describe.skipIf(tools.missing)(`a gRPC client (${tools.install})`, () => {
  let reach: Reach;
  let server: GrpcServer;
  let port = 0;
  const metadata: object[] = [];

  beforeAll(async () => {
    const ca = await createTestCa();
    // `as`: the library is not installed in the repo, and so has no types here.
    const grpc = createRequire(`${tools.folder}/`)('@grpc/grpc-js') as GrpcLibrary;
    const method = (path: string, isStream: boolean) => ({
      path,
      requestStream: isStream,
      responseStream: isStream,
      requestSerialize: (text: string) => Buffer.from(text),
      requestDeserialize: (bytes: Buffer) => bytes.toString(),
      responseSerialize: (text: string) => Buffer.from(text),
      responseDeserialize: (bytes: Buffer) => bytes.toString(),
    });
    server = new grpc.Server();
    server.addService(
      {
        Say: method('/test.Echo/Say', false),
        Fail: method('/test.Echo/Fail', false),
        Talk: method('/test.Echo/Talk', true),
      },
      {
        Say: (call, done) => {
          metadata.push(call.metadata.getMap());
          done(null, `you said ${call.request}`);
        },
        Fail: (_call, done) => done({ code: grpc.status.FAILED_PRECONDITION, details: 'not today' }),
        Talk: (call) => {
          call.on('data', (text) => call.write(`you said ${text}`));
          call.on('end', () => call.end());
        },
      },
    );
    const { cert, key } = await ca.issue(['localhost']);
    const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) };
    const credentials = grpc.ServerCredentials.createSsl(null, [pair]);
    port = await new Promise((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', credentials, (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    reach = await openReach({ ca, tenant: `exceptions: ["http(localhost)"]` });
  });
  afterAll(async () => {
    await reach[Symbol.asyncDispose]();
    server.forceShutdown();
  });

  test('calls, talks both ways on one stream, and gets the status of a failed call from the trailers', async () => {
    const program = join(import.meta.dirname, 'programs', 'grpc.mjs');
    const ran = await reach.run('node', [program, tools.folder, `localhost:${port}`]);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout)).toEqual({
      said: 'you said hello',
      failed: { code: 9, details: 'not today' },
      heard: ['you said one', 'you said more 1', 'you said more 2'],
    });
    expect(JSON.stringify(metadata)).not.toContain(reach.token);
    expect(await reach.eventsOnce('ProxyEvent::RequestAllowed', 3)).toHaveLength(3);
  });
});
