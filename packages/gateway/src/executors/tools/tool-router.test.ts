import type { Action, Verdict } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import type { ToolPath } from './tool-path.ts';
import { ToolRouter } from './tool-router.ts';

const ACTOR = { tenant: 'default', chain: [], confinement: 'jailed' } as const;
const path = (kind: ToolPath['kind'], ...tools: readonly string[]): ToolPath => ({
  kind,
  tools: () => tools.map((tool) => ({ tool, description: kind, inputSchema: {} })),
  knows: (tool) => tools.includes(tool),
  run: async () => ({ content: [{ type: 'text', text: kind }], isError: false }),
});
const router = new ToolRouter([path('fsal', 'fs.read'), path('external', 'fs.read', 'web.fetch')]);
const call = (tool: string) =>
  // `as`: the router reads nothing of a job but the name of its tool.
  router.run({ action: { tool } as Action, verdict: {} as Verdict, signal: new AbortController().signal });

test('each call goes to the first path that knows its tool, and each tool is listed once', async () => {
  expect((await call('fs.read')).content[0]?.text).toBe('fsal');
  expect((await call('web.fetch')).content[0]?.text).toBe('external');
  expect(router.tools(ACTOR).map(({ tool, description }) => [tool, description])).toEqual([
    ['fs.read', 'fsal'],
    ['web.fetch', 'external'],
  ]);
});

test('a tool that no path knows is not found', async () => {
  expect(router.knows('email.send')).toBe(false);
  await expect(call('email.send')).rejects.toMatchObject({ code: 'ToolNotFound' });
});
