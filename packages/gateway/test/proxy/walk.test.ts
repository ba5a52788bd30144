import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFront, type Wire } from './front-fixture.ts';

const ROOT = join(import.meta.dirname, '../../../..');
/** What `npm run check -- walks` reads: ``3. `gate/judge.ts` `judge`, `castOf` (through …): what happens``. */
const STEP = /^\d+\. `([^`]+)` (`#?\w+`(?:, `#?\w+`)*)/;
/** The trail of the fixture is another one. */
const NOT_HERE = new Set(['audit/trail.ts']);

/** Every function of a walk in docs/architecture.md, as `file name`. */
function stepsOf(walk: string): readonly string[] {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const [, section = ''] = page.split(`### Walk: ${walk}`);
  return (section.split(/^#/m)[0] ?? '').split('\n').flatMap((line) => {
    const [, file = '', names = ''] = STEP.exec(line) ?? [];
    if (file === '' || NOT_HERE.has(file)) return [];
    return names.split(', ').map((name) => `${file} ${name.replaceAll('`', '')}`);
  });
}

const POST = (port: number, auth: string): string =>
  [
    ...[
      `POST http://api.example.com:${port}/a?b=1 HTTP/1.1`,
      `Host: api.example.com:${port}`,
      'X-Creds: main',
    ],
    ...[`Proxy-Authorization: ${auth}`, 'Content-Type: application/json', 'Content-Length: 2', '', '{}'],
  ].join('\r\n');

/** How often each function ran: `file name` → count. */
async function callsDuring(run: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const calls = new Map<string, number>();
  for (const { url, functions } of result) {
    const [, file] = url.split('?')[0]?.split('/packages/gateway/src/') ?? [];
    if (file === undefined) continue;
    for (const { functionName, ranges } of functions) {
      const key = `${file} ${functionName}`;
      calls.set(key, (calls.get(key) ?? 0) + (ranges[0]?.count ?? 0));
    }
  }
  return calls;
}

const answered = (wire: Wire, count: number): Promise<string> =>
  wire.until((text) => text.split('HTTP/1.1 200').length - 1 >= count);

/** Where something gets its one form. */
const CONVERSIONS = [
  'shared/http1/request-parser.ts parseHead',
  'actions/http/request-target.ts normalizeRequestTarget',
  'doors/proxy/strip-headers.ts stripHeaders',
  'actions/http/classify/classify.ts classifyHttp',
  'actions/build/http-action.ts buildHttpAction',
  'actions/build/finish-action.ts finishAction',
  'doors/proxy/request-plan.ts outgoingRequest',
];

test('a POST goes the way that docs/architecture.md tells, and nothing of it is converted twice', async () => {
  const steps = stepsOf('a POST through the proxy');
  expect(steps.length).toBeGreaterThan(30);
  const upstream = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  onTestFinished(() => void upstream.close());
  const { port } = upstream.address() as AddressInfo;
  await using front = await openFront();
  const wire = await front.dial();
  // Whose connection it is, is asked once; every later request is this one.
  wire.send(POST(port, front.auth));
  await answered(wire, 1);
  const calls = await callsDuring(async () => {
    wire.send(POST(port, front.auth));
    await answered(wire, 2);
  });
  expect(steps.filter((step) => !calls.has(step) || calls.get(step) === 0)).toEqual([]);
  expect(CONVERSIONS.map((one) => [one, calls.get(one)])).toEqual(CONVERSIONS.map((one) => [one, 1]));
  // A host has its one spelling since its head was read.
  expect(calls.get('shared/host.ts parseHost') ?? 0).toBe(0);
});
