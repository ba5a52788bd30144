import type { JsonObject, NewEvent } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import { loadActionBuilders } from '../actions/index.ts';
import type { ToolResult } from '../executors/index.ts';
import { policyOf } from '../gate/gate.fixture.ts';
import { refuseLargeResult } from './result-size.ts';
import { ToolCalls } from './tool-calls.ts';

const builder = (await loadActionBuilders())();
const actor = {
  tenant: 'default',
  user: 'ana',
  agent: 'dev',
  chain: ['dev'],
  confinement: 'jailed',
} as const;

/** One call of a tool that answers as it is told, under a capability. */
function call(capability: JsonObject, run: (signal: AbortSignal) => Promise<ToolResult>) {
  const calls = new ToolCalls({
    gate: { decide: () => ({ verdict: { kind: 'allow', by: 'policy', opinions: [] }, held: undefined }) },
    policyOf: () =>
      policyOf({
        security_contexts: { c: { capabilities: [{ tool: 'fs.*', ...capability }] } },
        agents: { dev: { security_context: 'c' } },
      }),
    builderFor: () => builder,
    routes: { tools: () => [], knows: () => true, run: ({ signal }) => run(signal) },
    worldOf: () => ({ cwd: '/workspace' }),
    trail: { note: (_event: NewEvent) => undefined, append: async () => undefined } as never,
    onProblem: (error) => {
      throw error;
    },
  });
  const signal = new AbortController().signal;
  return calls.call({ door: 'mcp', actor, tool: 'fs.read', input: { path: '/workspace/a' }, signal });
}

const answer = (text: string) => async (): Promise<ToolResult> => ({
  content: [{ type: 'text', text }],
  isError: false,
});
const never = (signal: AbortSignal): Promise<ToolResult> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('max_output_bytes refuses a result that is larger', async () => {
  expect(await call({ max_output_bytes: 100 }, answer('x'.repeat(50)))).toMatchObject({ kind: 'done' });
  for (const text of ['x'.repeat(101), 'ä'.repeat(60)])
    expect(await call({ max_output_bytes: 100 }, answer(text))).toMatchObject({
      kind: 'failed',
      refusal: { code: 'OutputSizeLimitExceeded' },
    });
  expect(await call({}, answer('x'.repeat(10_000)))).toMatchObject({ kind: 'done' });
});

test('timeout_seconds breaks a call off that takes longer', async () => {
  const late = { kind: 'failed', refusal: { code: 'CommandTimeout' } };
  expect(await call({ timeout_seconds: 1 }, never)).toMatchObject(late);
  // Also one that does not listen.
  expect(await call({ timeout_seconds: 1 }, () => new Promise(() => {}))).toMatchObject(late);
  expect(await call({ timeout_seconds: 1 }, answer('x'))).toMatchObject({ kind: 'done' });
});

const result = (text: string) => ({ content: [{ type: 'text', text }], isError: false });

test('[TO-9] a result is bounded wherever its characters are', () => {
  const large = 'x'.repeat(1_001);
  expect(() => refuseLargeResult(result('x'.repeat(900)), 1_000)).not.toThrow();
  for (const value of [
    result(large),
    { ...result(''), structuredContent: { deep: [{ deeper: large }] } },
    { ...result(''), _meta: { note: large } },
    { ...result(''), whatever: { note: large } },
    { ...result(''), structuredContent: { [large]: 1 } },
    { content: Array.from({ length: 1_000 }, () => ({})), isError: false },
  ])
    expect(() => refuseLargeResult(value, 1_000)).toThrow(
      expect.objectContaining({ code: 'OutputSizeLimitExceeded' }),
    );
});
