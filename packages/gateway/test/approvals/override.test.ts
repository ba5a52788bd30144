import { type Action, SallyportError } from '@sallyport/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bash } from '../../src/gate/gate.fixture.ts';
import { push } from './actions.ts';
import { type ApprovalsFixture, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

let chat: FakeChannel;
let fixture: ApprovalsFixture;
beforeEach(async () => {
  chat = new FakeChannel('chat');
  fixture = await openFixture({ channels: [chat] });
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** As a door would: the text is the new command. */
function rebuild(action: Action, text: string): Action {
  if (text.includes('`'))
    throw new SallyportError('Unprocessable', { message: 'the command does not parse' });
  return {
    ...push({ preview: text, binding: `b:${text}`, fingerprint: `f:${text}` }),
    id: `${action.id}_changed`,
    target: { ...bash(text).target },
  };
}

async function changed(text: string, options = {}) {
  const action = push();
  const verdict = fixture.gate.admit(action, { rebuild, ...options });
  const { id } = await fixture.question();
  return { action, id, verdict, outcome: await chat.reply(id, 'ana-1', `5 ${text}`) };
}

describe('an action that a person changed', () => {
  test('is a new action, and each of the two is in the trail once', async () => {
    const { action, verdict, outcome } = await changed('git push origin safe');
    expect(outcome).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({
      kind: 'allow',
      by: 'person',
      override: 'git push origin safe',
      action: { id: `${action.id}_changed`, preview: 'git push origin safe' },
    });
    const verdicts = (await fixture.eventsOf(action)).filter((type) => !type.startsWith('ApprovalEvent'));
    expect(verdicts).toEqual(['ActionEvent::Judged']);
    expect(await fixture.eventsOf({ id: `${action.id}_changed` })).toEqual(['ActionEvent::Judged']);
  });

  test('[AP-9] is judged: what a rule denies stays denied', async () => {
    const { verdict } = await changed('rm -rf /');
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'RuleDenied', rule: 'deny:Bash(rm *)' });
  });

  test('must fit the tool: the person is told, and the question stays', async () => {
    const { id, outcome, verdict } = await changed('git `');
    expect(outcome).toEqual({ kind: 'refused', message: 'the command does not parse' });
    expect(await chat.reply(id, 'ana-1', '3')).toMatchObject({ kind: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied' });
  });

  test('is not possible at a door that takes no replacement', async () => {
    const { id, outcome, verdict } = await changed('ls', { rebuild: undefined });
    expect(outcome).toMatchObject({ kind: 'refused' });
    await chat.reply(id, 'ana-1', '3');
    await verdict;
  });
});
