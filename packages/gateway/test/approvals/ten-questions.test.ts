import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadActionBuilders } from '../../src/actions/index.ts';
import type { Approval } from '../../src/approvals/approval/approval.ts';
import { describeNotification } from '../../src/approvals/channels/desktop/notification.ts';
import { discordQuestion } from '../../src/approvals/channels/discord/message.ts';
import { slackQuestion } from '../../src/approvals/channels/slack/blocks.ts';
import { questionPage } from '../../src/approvals/channels/webhook/decision-page.ts';
import { mailQuestion, plainQuestion, telegramQuestion } from '../../src/approvals/render/index.ts';
import { firstConfigText } from '../../src/config/first-config.ts';
import { loadConfig } from '../../src/config/index.ts';
import { toDetail } from '../../src/doors/api/approval-wire.ts';
import { questionOf } from '../../src/gate/admit/question.ts';
import { OPTIONS } from '../../src/gate/gate.fixture.ts';
import { PolicySet } from '../../src/gate/index.ts';
import { Rehearsal, type RehearsalQuestion } from '../../src/rehearsal/rehearse.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'ten-')));
const work = join(home, 'app');

const OUTSIDE = { confinement: 'unconfined' } as const;
const QUESTIONS: Readonly<Record<string, RehearsalQuestion>> = {
  'a write at a known provider': {
    form: 'http',
    text: 'PATCH https://api.github.com/repos/acme/app/pulls/7 {"state":"closed"}',
  },
  'a write at an unknown host': {
    form: 'http',
    text: 'POST https://api.tracker.example/v1/items/42 {"state":"done"}',
  },
  'a read of a new host': { form: 'http', text: 'GET https://blog.example/posts/12' },
  'a push': { form: 'tool', text: 'Bash(git push origin feature/login)', ...OUTSIDE },
  'a push by force': { form: 'tool', text: 'Bash(git push --force origin feature/login)', ...OUTSIDE },
  'a line of several commands': {
    form: 'tool',
    text: 'Bash(npm test && npm publish --tag next && curl -s https://hooks.example/done)',
    ...OUTSIDE,
  },
  'a change of a cluster': {
    form: 'tool',
    text: 'Bash(kubectl --context prod -n shop scale deployment/web --replicas=4)',
    ...OUTSIDE,
  },
  'a tool of an MCP server': {
    form: 'tool',
    text: 'mcp:tracker/close_issue({"id":42,"comment":"done"})',
    ...OUTSIDE,
  },
  'an unknown command': { form: 'tool', text: 'Bash(gh frob 12)', ...OUTSIDE },
  'a file outside of the workspace': { form: 'tool', text: 'Write(/home/ana/.bashrc)', ...OUTSIDE },
};

const owner = { channel: 'slack', identity: 'U1', key: Buffer.alloc(32) } as never;
let ask: (question: RehearsalQuestion) => Approval;

beforeAll(async () => {
  mkdirSync(join(work, '.git'), { recursive: true });
  writeFileSync(join(work, '.git/HEAD'), 'ref: refs/heads/feature/login\n');
  writeFileSync(join(work, '.git/config'), '[remote "origin"]\n\turl = git@github.com:acme/app.git\n');
  const file = join(home, 'sallyport.yaml');
  writeFileSync(file, firstConfigText({ osUser: 'ana' }));
  const policies = new PolicySet(loadConfig({ file, env: {} }), OPTIONS);
  const createBuilder = await loadActionBuilders();
  const rehearsal = new Rehearsal({
    policies,
    createBuilder,
    telemetry: [],
    registries: [],
    cwd: work,
    home: '/home/ana',
  });
  ask = (question) => {
    const { action, judgement } = rehearsal.ask(question);
    const policy = policies.policyOf('default');
    if (judgement.outcome !== 'ask' || policy === undefined)
      throw new Error(`not asked: ${question.text}: ${JSON.stringify(judgement)}`);
    const createdAt = Date.parse('2026-01-01T00:00:00.000Z');
    return {
      ...questionOf(action, judgement, policy),
      id: 'appr_01hzy3v8k2m4n6p8q0r2s4t6v8',
      status: 'pending',
      createdAt,
      expiresAt: createdAt + 3_600_000,
      agreed: [],
      quorum: 1,
      expiresInMs: 3_600_000,
    };
  };
});

/** What a person sees of it, without what differs between two machines. */
function shown(text: string): string {
  return text.replaceAll(work, '/work/app').replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>');
}

function textsIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(textsIn).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { text, elements, type } = value as Record<string, unknown>;
  const own = typeof text === 'string' ? text : textsIn(text);
  return type === 'button' ? `[${own}] ` : own + textsIn(elements);
}

const tagless = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('ten questions as people see them', () => {
  test.each(Object.keys(QUESTIONS))('%s', async (name) => {
    const question = QUESTIONS[name];
    if (question === undefined) throw new Error(name);
    const approval = ask(question);
    const { action_id, binding, fingerprint, policy_revision, ...api } = toDetail(approval, ['ana']);
    expect([action_id, binding, fingerprint, policy_revision].every((text) => text !== '')).toBe(true);
    const discord = discordQuestion(approval, owner, { ceiling: 'always', mention: false }).message;
    const slack = slackQuestion(approval, owner, 'always');
    const mail = mailQuestion(approval, 'k7m2');
    const { title, body } = describeNotification(approval);
    const text = Object.entries({
      'plain text': plainQuestion(approval, { howToAnswer: 'Answer with one of:' }),
      telegram: tagless(telegramQuestion(approval).html),
      slack: slack.blocks.map(textsIn).join('\n'),
      discord: String(discord.content),
      mail: `${mail.subject}\n${mail.text}`,
      'page of a webhook': tagless(questionPage(approval, '/x').body),
      desktop: `${title}\n${body}`,
      api: JSON.stringify(api, undefined, 2),
    })
      .map(([channel, said]) => `===== ${channel}\n${said.trim()}\n`)
      .join('\n');
    const file = `__snapshots__/ten-questions/${name.replaceAll(' ', '-')}.txt`;
    await expect(shown(text)).toMatchFileSnapshot(file);
  });
});
