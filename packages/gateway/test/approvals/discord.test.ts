import { type DiscordMessage, DiscordServer, requirePart } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Approval } from '../../src/approvals/approval.ts';
import {
  createDiscordChannel,
  type DiscordChannel,
  type DiscordOptions,
} from '../../src/approvals/channels/discord/index.ts';
import { Secret } from '../../src/shared/secret.ts';
import { Answers, approvalFixture, KEY } from '../channels/answers.fixture.ts';

const ANA = '100000000000000001';
const EVE = '100000000000000666';
const ana = { user: 'ana', identity: ANA };
const never = new AbortController().signal;
const part = requirePart('discord');

describe.skipIf(part.missing)(`the Discord channel (${part.install})`, () => {
  let server: DiscordServer;
  let channel: DiscordChannel;
  let answers: Answers;
  let problems: string[];
  const approval = approvalFixture();

  const create = (over: Partial<DiscordOptions> = {}): Promise<DiscordChannel> =>
    createDiscordChannel({
      token: new Secret(server.token),
      apiUrl: server.apiUrl,
      ceiling: 'always',
      key: KEY,
      isListed: (identity) => identity === ANA,
      onProblem: (error) => void problems.push(`${error.message} ${error.hint ?? ''}`),
      pauseMs: 5,
      ...over,
    });
  const ask = async (question: Approval = approval): Promise<DiscordMessage> => {
    const { ref } = await channel.deliver(question, ana, never);
    return server.town.find(String(ref.channel), String(ref.message))!;
  };
  const told = async (...press: Parameters<DiscordServer['press']>): Promise<string> => {
    const result = await server.press(...press);
    if (result.kind !== 'told') throw new Error('a form was opened');
    return result.text;
  };
  const form = async (message: DiscordMessage, button: string) => {
    const result = await server.press(message, button);
    if (result.kind !== 'form') throw new Error('no form was opened');
    return result.modal;
  };

  beforeEach(async () => {
    server = await DiscordServer.start();
    server.town.join(ANA);
    server.town.join(EVE);
    answers = new Answers(approval);
    problems = [];
    channel = await create();
    await channel.start(answers.onAnswer, never);
  });
  afterEach(async () => {
    await channel.stop();
    await channel.stop();
    await server[Symbol.asyncDispose]();
  });

  test.each([
    { button: '1 Allow once', decision: { code: '1' } },
    { button: '2 Allow for this session', decision: { code: '2' } },
    { button: '3 Deny', decision: { code: '3' } },
    { button: '6 Always allow this action type', decision: { code: '6' } },
    { button: 'Allow 15 min', decision: { code: '1', minutes: 15 } },
  ])('the button `$button` decides, and the person is told', async ({ button, decision }) => {
    expect(await told(await ask(), button)).toMatch(/^(✅ Allowed|⛔ Denied)/);
    expect(answers.taken).toEqual([
      { approvalId: approval.id, identity: ANA, answer: { kind: 'decision', decision } },
    ]);
  });

  test.each([
    { button: '4 Allow once + note…', text: 'add logs', decision: { code: '4', note: 'add logs' } },
    { button: '5 Modify then allow…', text: ' ls -l\n', decision: { code: '5', override: ' ls -l\n' } },
  ])('`$button` opens a form, whose text decides', async ({ button, text, decision }) => {
    const message = await ask();
    const modal = await form(message, button);
    expect(answers.taken).toEqual([]);
    expect(await server.submit(modal, text, message)).toMatchObject({
      kind: 'told',
      text: expect.stringMatching(/^✅ Allowed once, /),
    });
    expect(answers.taken).toEqual([
      { approvalId: approval.id, identity: ANA, answer: { kind: 'decision', decision } },
    ]);
  });
});
