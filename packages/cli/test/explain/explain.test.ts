import { ExplanationSchema } from '@sallyport/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExplainHome, openExplainHome } from './explain-home.ts';

/** A policy with what the first one lacks: patterns, a hidden tool, a deny. */
const NARROW = `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [owner] } }
roles: { owner: { allow: ["agent:*", "tool:*"] } }
permissions:
  - "deny:Read(~/.ssh/**)"
agents:
  dev:
    disallowed_tools: [WebSearch]
    permissions:
      - "allow:Bash(git *)"
      - "ask:mcp:github/*"
`;

/** With models that have a say beside the policy. */
const REVIEWED = `${NARROW}    execution: { tool_validation: { Bash: { criteria: "no data leaves" } } }
gatekeeper: { model: "openai-compatible:small", base_url: "http://127.0.0.1:11434/v1", auto_approve: low }
`;

let first: ExplainHome;
let narrow: ExplainHome;
beforeAll(async () => {
  first = await openExplainHome();
  narrow = await openExplainHome(NARROW);
});
afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await narrow[Symbol.asyncDispose]();
});

const PUSH = 'POST https://github.com/acme/app.git/git-receive-pack';

/** What people ask, the policy that they ask about, and the answer that the snapshot must begin with. */
const QUESTIONS: readonly {
  readonly name: string;
  readonly argv: readonly string[];
  readonly narrow?: true;
  readonly answer: string;
}[] = [
  { name: 'push-to-main', argv: ['--http', `${PUSH} refs/heads/main`], answer: 'ask: `main` is a protected' },
  {
    name: 'push-to-main-unconfined',
    argv: ['--unconfined', '--', 'Bash(git push origin main)'],
    answer: 'ask: `main`',
  },
  {
    name: 'push-to-own-branch',
    argv: ['--remote', 'github.com/acme/app', '--http', `${PUSH} refs/heads/ana/fix`],
    answer: 'allow:',
  },
  {
    name: 'force-push-to-own-branch',
    argv: ['--unconfined', '--', 'Bash(git push -f origin ana/fix)'],
    answer: 'ask:',
  },
  { name: 'npm-install-in-a-jail', argv: ['--', 'Bash(npm install left-pad)'], answer: 'allow:' },
  {
    name: 'curl-post-unconfined',
    argv: ['--unconfined', '--', 'Bash(curl -X POST https://api.example.com/x -d a=1)'],
    answer: 'ask: no network rule names `api.example.com`',
  },
  {
    name: 'read-ssh-key',
    argv: ['--unconfined', '--', 'Read(~/.ssh/id_ed25519)'],
    narrow: true,
    answer: 'deny: rule',
  },
  {
    name: 'write-gateway-home',
    argv: ['--', 'Write(~/.sallyport/sallyport.yaml)'],
    answer: 'deny: the home',
  },
  {
    name: 'github-issue',
    argv: ['--http', 'POST https://api.github.com/repos/acme/app/issues {"title":"x"}'],
    answer: 'ask: a remote write',
  },
  {
    name: 'unknown-host',
    argv: ['--http', 'GET https://news.example.org/today'],
    answer: 'ask: no network rule',
  },
  { name: 'aws-over-ssh', argv: ['--cli', 'aws s3 rm s3://bucket/key'], answer: 'ask: a remote write' },
  {
    name: 'mcp-tool',
    argv: ['--', 'mcp:github/create_issue({"title":"x"})'],
    narrow: true,
    answer: 'ask: rule',
  },
  {
    name: 'git-log-to-shell',
    argv: ['--', 'Bash(git log | sh)'],
    narrow: true,
    answer: 'ask: no rule is about this',
  },
  { name: 'git-log-to-shell-unconfined', argv: ['--unconfined', '--', 'Bash(git log | sh)'], answer: 'ask:' },
  {
    name: 'denied-tool',
    argv: ['--', 'WebSearch'],
    narrow: true,
    answer: 'deny: `WebSearch` is among the disallowed',
  },
  { name: 'no-such-tool', argv: ['--', 'Frobnicate'], answer: 'deny: no router knows' },
];

describe('sallyport explain', () => {
  test.each(QUESTIONS)(
    'answers what, why and what now: $name',
    async ({ name, argv, narrow: isNarrow, answer }) => {
      const text = await (isNarrow === true ? narrow : first).run('explain', '--cwd', '/workspace', ...argv);
      expect(text.startsWith(answer), text).toBe(true);
      await expect(`$ sallyport explain ${argv.map(quoted).join(' ')}\n\n${text}`).toMatchFileSnapshot(
        `snapshots/${name}.txt`,
      );
    },
  );

  test.each(QUESTIONS)('fits a terminal without scrolling: $name', async ({ argv, narrow: isNarrow }) => {
    const text = await (isNarrow === true ? narrow : first).run('explain', '--cwd', '/workspace', ...argv);
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(16);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    // An escape would be a colour, and this is no terminal.
    expect(text).not.toContain('\u001b');
    expect(lines.some((line) => line.startsWith('→ '))).toBe(true);
  });

  test('names file and line of the deciding rule or setting', async () => {
    const text = await narrow.run('explain', '--unconfined', '--', 'Read(~/.ssh/id_ed25519)');
    expect(text).toContain('`deny:Read(~/.ssh/**)`, sallyport.yaml:9');
  });
});

describe('sallyport explain --json', () => {
  test('is the promised shape, with one entry for every layer that was asked', async () => {
    const json: unknown = JSON.parse(
      await first.run('explain', '--json', '--unconfined', '--', 'Bash(git push origin main)'),
    );
    expect(json).toEqual({
      outcome: 'ask',
      strength: 'each-time',
      reason: '`main` is a protected branch',
      layers: [
        { layer: 'identity', says: 'nothing' },
        { layer: 'visibility', says: 'nothing' },
        { layer: 'level', says: 'nothing' },
        { layer: 'rate', says: 'nothing' },
        { layer: 'boundary', says: 'nothing' },
        {
          layer: 'rules',
          says: 'allow',
          rule: 'allow:*',
          reason: 'rule `allow:*` allows this',
          at: { file: 'sallyport.yaml', line: expect.any(Number), column: expect.any(Number) },
        },
        { layer: 'autonomy', says: 'nothing' },
        {
          layer: 'mode',
          says: 'ask',
          strength: 'each-time',
          rule: 'branches.protected: main',
          reason: '`main` is a protected branch',
          at: { file: 'sallyport.yaml', line: expect.any(Number), column: expect.any(Number) },
        },
      ],
      grants: [],
      change: ['a person answers this each time; no rule, exception or grant does'],
      models: [],
      action: {
        tool: 'Bash',
        type: 'vcs:push',
        effect: 'write',
        reach: 'remote',
        risk: 'high',
        does: expect.stringMatching(/^`git push origin main` in \//),
        agent: 'dev',
        about: 'the coding agent on this machine',
        confinement: 'unconfined',
      },
    });
  });

  test.each([
    {
      name: 'both',
      tool: 'Bash(make)',
      models: [/tool_validation.Bash/, /gatekeeper.*alone up to risk `low`/],
    },
    { name: 'the judge alone where rules allow', tool: 'Bash(git status)', models: [/tool_validation.Bash/] },
    { name: 'nobody where it is refused', tool: 'Read(~/.ssh/id)', models: [] },
  ])('tells of models that have a say: $name', async ({ tool, models }) => {
    await using home = await openExplainHome(REVIEWED);
    const argv = ['--', tool];
    const { models: told } = ExplanationSchema.parse(
      JSON.parse(await home.run('explain', '--json', ...argv)),
    );
    expect(told).toEqual(models.map((text) => expect.stringMatching(text)));
    const printed = await home.run('explain', ...argv);
    for (const text of models) expect(printed.replaceAll(/\s+/g, ' ')).toMatch(text);
  });

  test.each(QUESTIONS)('is what the API answers too: $name', async ({ argv, narrow: isNarrow }) => {
    const text = await (isNarrow === true ? narrow : first).run('explain', '--json', ...argv);
    const answer = ExplanationSchema.parse(JSON.parse(text));
    expect(answer.strength === undefined).toBe(answer.outcome !== 'ask');
    expect(answer.violation === undefined).toBe(answer.outcome !== 'deny');
  });

  test('a deny carries its code, and stops at the layer that said it', async () => {
    const { violation, layers } = ExplanationSchema.parse(
      JSON.parse(await narrow.run('explain', '--json', '--', 'WebSearch')),
    );
    expect(violation).toBe('ToolExplicitlyDenied');
    expect(layers.at(-1)).toMatchObject({
      layer: 'visibility',
      says: 'deny',
      rule: 'agents.dev.disallowed_tools',
    });
  });
});

function quoted(word: string): string {
  return /^[\w-]+$/.test(word) ? word : `'${word}'`;
}
