import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Action, AuditEvent, Verdict } from '@sallyport/protocol';
import { type TempDir, tempDir } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { judgedEvent } from '../../src/gate/admit/judged-event.ts';
import { bash, fact, http, mcp, OPTIONS, snapshotOf } from '../../src/gate/gate.fixture.ts';
import { createPolicyChecks, judge, PolicySet } from '../../src/gate/index.ts';
import { ConfigEdits } from '../../src/rehearsal/index.ts';
import { findSuggestions } from '../../src/rehearsal/suggestions.ts';

const CONFIG = `# ours
tenants:
  default:
    users: { ana: { roles: [owner] } }
    exceptions:
      - "http(POST api.github.com/repos/acme/**)" # comments
  other: { users: { ana: { roles: [owner] } } }
roles: { owner: { allow: ["agent:*", "tool:*"] } }
network:
  rules:
    - { host: "@known", action: allow }
    - { host: bad.example, action: deny }
agents:
  dev: { permissions: ["deny:Bash(rm *)", "allow:*"] }
`;

let dir: TempDir;
let file: string;
let policies: PolicySet;
let edits: ConfigEdits;
let number = 0;

const load = (path: string, texts?: ReadonlyMap<string, string>): PolicySet => {
  const checks = [createPolicyChecks({ lists: OPTIONS.lists.keys() })];
  return new PolicySet(
    loadConfig({ file: path, env: {}, checks, ...(texts === undefined ? {} : { texts }) }),
    OPTIONS,
  );
};

beforeEach(async () => {
  dir = await tempDir();
  file = join(dir.path, 'sallyport.yaml');
  writeFileSync(file, CONFIG);
  policies = load(file);
  edits = new ConfigEdits({ loaded: () => policies.loaded, load });
});
afterEach(() => dir.remove());

/** The event of an action as the gate writes it, answered by a person where it asks. */
function recorded(action: Action, answer: 'yes' | 'no'): AuditEvent {
  number += 1;
  const policy = policies.policyOf(action.actor.tenant);
  if (policy === undefined) throw new Error('no policy');
  const snapshot = snapshotOf(policy);
  const judgement = judge(action, snapshot);
  const { opinions } = judgement;
  const verdict: Verdict =
    judgement.outcome === 'allow'
      ? { kind: 'allow', by: 'policy', opinions }
      : judgement.outcome === 'deny'
        ? { kind: 'deny', violation: judgement.violation, reason: judgement.reason, opinions }
        : answer === 'yes'
          ? { kind: 'allow', by: 'person', approval: `appr_${number}`, opinions }
          : { kind: 'deny', violation: 'ApprovalDenied', reason: 'no', approval: `appr_${number}`, opinions };
  const event = judgedEvent(action, verdict, snapshot, judgement);
  // As a reader gets it back.
  return JSON.parse(
    JSON.stringify({ ...event, id: `evt_${number}`, seq: number, at: new Date(0).toISOString() }),
  );
}

const yes = (action: Action) => recorded(action, 'yes');
const no = (action: Action) => recorded(action, 'no');
const suggest = (...events: readonly AuditEvent[]) =>
  findSuggestions(
    async function* () {
      yield* events;
    },
    (wanted) => edits.tried(wanted),
  );
const lines = async (...events: readonly AuditEvent[]) =>
  (await suggest(...events)).map((found) => edits.shown(found.edits).diff);

const post = (where: string) =>
  http(`POST ${where}`, {}, { effect: 'write', reach: 'remote', risk: 'medium' });
const get = (where: string) => http(`GET ${where}`, {}, { risk: 'low' });

describe('suggest', () => {
  test('an exception for a write that was always allowed, with the lines that would be written', async () => {
    const found = await suggest(
      yes(post('api.github.com/repos/other/app/issues/1/comments')),
      yes(post('api.github.com/repos/other/app/issues/2/comments')),
      yes(get('api.github.com/repos/other/app')),
    );
    expect(found.map(({ wire }) => wire)).toMatchObject([{ removes: 2, also_count: 0 }]);
    expect(edits.shown(found[0]?.edits ?? []).diff).toEqual([
      '+       - "http(POST api.github.com/repos/other/app/issues/*/comments)"',
    ]);
  });

  test('a network entry for reads of a host, and both for a write at a new host', async () => {
    expect(await lines(yes(get('docs.example.org/a')), yes(get('docs.example.org/b')))).toEqual([
      ['+     - { host: docs.example.org, method: [GET, HEAD], action: allow }'],
    ]);
    expect(await lines(yes(post('api.example.org/v1/jobs')), yes(post('api.example.org/v1/jobs')))).toEqual([
      [
        '+       - "http(POST api.example.org/v1/jobs)"',
        '+     - { host: api.example.org, method: [POST], path: "/v1/jobs", action: allow }',
      ],
    ]);
  });

  test('an exact command, and a tool of a server', async () => {
    const push = () =>
      bash('gh pr create --fill', {
        ...{ effect: 'write', reach: 'remote', risk: 'high' },
        target: {
          ...{ kind: 'command', form: 'shell', cwd: '/workspace' },
          commands: [fact('gh pr create --fill', { effect: 'write', reach: 'remote', risk: 'high' })],
        },
      });
    expect(await lines(yes(push()), yes(push()))).toEqual([['+       - "Bash(gh pr create --fill)"']]);
    const issue = () => mcp('github', 'create_issue', { effect: 'write', reach: 'remote', risk: 'high' });
    expect(await lines(yes(issue()), yes(issue()))).toEqual([['+       - "mcp:github/create_issue"']]);
  });

  test('tells what else it would have allowed', async () => {
    const found = await suggest(
      yes(get('docs.example.org/a')),
      yes(get('docs.example.org/b')),
      // asked for another reason too, and left without an answer
      {
        ...no(get('docs.example.org/c')),
        data: { ...no(get('docs.example.org/c')).data, violation: 'ApprovalTimeout' },
      },
    );
    expect(found[0]?.wire).toMatchObject({
      also_count: 1,
      also_allows: [{ what: 'http: GET docs.example.org/c', times: 1 }],
    });
  });

  const none: readonly (readonly [why: string, events: () => AuditEvent[]])[] = [
    ['what was allowed once', () => [yes(get('docs.example.org/a'))]],
    [
      'what was refused once',
      () => [yes(get('x.example/a')), yes(get('x.example/b')), no(get('x.example/c'))],
    ],
    [
      'what a person refused elsewhere and it would open',
      () => [
        yes(post('api.example.org/v1/jobs/1')),
        yes(post('api.example.org/v1/jobs/2')),
        no(post('api.example.org/v1/jobs/3')),
      ],
    ],
    [
      'what another tenant refused, where the setting would hold for all',
      () => {
        const theirs = get('docs.example.org/c');
        return [
          yes(get('docs.example.org/a')),
          yes(get('docs.example.org/b')),
          no({ ...theirs, actor: { ...theirs.actor, tenant: 'other' } }),
        ];
      },
    ],
    [
      'what is critical',
      () => {
        const action = () =>
          http('DELETE api.github.com/repos/a/b', {}, { effect: 'write', reach: 'remote', risk: 'critical' });
        return [yes(action()), yes(action())];
      },
    ],
    [
      'what several commands or files make more than it says',
      () => {
        const line = () =>
          bash('gh pr create > out', {
            ...{ effect: 'write', reach: 'remote', risk: 'high' },
            target: {
              ...{ kind: 'command', form: 'shell', cwd: '/workspace' },
              commands: [
                fact('gh pr create', {
                  ...{ effect: 'write', reach: 'remote', risk: 'high' },
                  writes: [{ given: 'out', real: '/workspace/out', access: 'write' }],
                }),
              ],
            },
          });
        return [yes(line()), yes(line())];
      },
    ],
  ];
  test.each(none)('says nothing about %s', async (_why, events) => {
    expect(await suggest(...events())).toEqual([]);
  });

  test('is written with everything else as it was, and answers the question from then on', async () => {
    const asked = [yes(post('api.example.org/v1/jobs')), yes(post('api.example.org/v1/jobs'))];
    const [found] = await suggest(...asked);
    edits.write(found?.edits ?? []);
    const text = readFileSync(file, 'utf8');
    for (const line of CONFIG.split('\n')) expect(text.split('\n')).toContain(line);
    policies = load(file);
    expect(recorded(post('api.example.org/v1/jobs'), 'no').data.verdict).toBe('allow');
    expect(recorded(post('api.example.org/v1/other'), 'no').data.verdict).toBe('deny');
  });

  test('a config that was saved meanwhile is not overwritten', async () => {
    const [found] = await suggest(yes(get('docs.example.org/a')), yes(get('docs.example.org/b')));
    const wanted = found?.edits ?? [];
    const racing = new ConfigEdits({
      loaded: () => policies.loaded,
      load: (path, texts) => {
        writeFileSync(file, `${CONFIG}# a person's\n`);
        return load(path, texts);
      },
    });
    expect(() => racing.write(wanted)).toThrow('was changed meanwhile');
    expect(readFileSync(file, 'utf8')).toBe(`${CONFIG}# a person's\n`);
  });

  test('property: whatever was answered, each suggestion answers all that it names and opens nothing refused', async () => {
    const hosts = fc.constantFrom(
      'api.github.com',
      'docs.example.org',
      'api.example.org',
      'bad.example',
      '127.0.0.1',
    );
    const paths = fc.constantFrom(
      '/',
      '/a',
      '/a/1',
      '/a/2',
      '/repos/acme/app/issues',
      '/v1/{x}/y',
      '/v1/*',
      '/repos/x/y',
    );
    const request = fc.record({
      ...{ host: hosts, path: paths },
      method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT'),
      risk: fc.constantFrom('low', 'high', 'critical'),
      answer: fc.constantFrom('yes', 'no'),
    } as const);
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 12 }), async (asked) => {
        const actionOf = ({ host, path, method, risk }: (typeof asked)[number]): Action =>
          method === 'GET'
            ? http(`GET ${host}${path}`, {}, { risk })
            : http(`${method} ${host}${path}`, {}, { effect: 'write', reach: 'remote', risk });
        const events = asked.flatMap((each) => [
          recorded(actionOf(each), each.answer),
          recorded(actionOf(each), each.answer),
        ]);
        for (const { edits: wanted, wire } of await suggest(...events)) {
          const after = edits.tried(wanted)?.policyOf('default');
          if (after === undefined) throw new Error('a suggestion that does not load');
          const outcomes = asked.map((each) => ({
            ...each,
            now: judge(actionOf(each), snapshotOf(after)).outcome,
          }));
          const opened = outcomes.filter((each, index) => {
            const before = events[index * 2]?.data;
            return each.now === 'allow' && !(before?.verdict === 'allow' && before.by === 'policy');
          });
          expect(opened.filter(({ answer }) => answer === 'no')).toEqual([]);
          expect(opened.length * 2).toBeGreaterThanOrEqual(wire.removes);
          expect(opened.length * 2).toBe(wire.removes + wire.also_count);
        }
      }),
      { numRuns: rounds(300) },
    );
  });
});
