import { requireEngine, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide, pendingQuestion } from '../mcp-door/decide.ts';
import { openSsh, type SshPlace } from './ssh-fixture.ts';

const needs = requireEngine('bubblewrap', 'ssh');

describe.skipIf(needs.missing)(`commands that people are asked about (${needs.install})`, () => {
  let place: SshPlace;
  beforeAll(async () => {
    place = await openSsh({ mode: 'strict' }, { gh: 'echo "ran: $*"' });
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test('a write waits, says so, and runs exactly what was shown', async () => {
    const started = place.start('gh issue create --repo acme/app --title "a b" --body x');
    const { id } = await pendingQuestion(place.gateway);
    await waitFor('the line that says so', () =>
      expect(started.stderr()).toContain(`waiting for a person to answer (${id})`),
    );
    const asked = await place.gateway.operator(`/v1/approvals/${id}`);
    expect(JSON.stringify(asked.json())).toContain("gh issue create --repo acme/app --title 'a b' --body x");
    expect(started.stdout()).toBe('');
    await decide(place.gateway, id, { code: '1' });
    expect(await started.ended).toMatchObject({
      ...{ code: 0, stdout: 'ran: issue create --repo acme/app --title a b --body x\n' },
    });
  });

  test('a no ends it with the reason, and nothing ran', async () => {
    const started = place.start('gh issue create --repo acme/app --title no --body x');
    const { id } = await pendingQuestion(place.gateway);
    await decide(place.gateway, id, { code: '3' });
    const ran = await started.ended;
    expect(ran).toMatchObject({ code: 77, stdout: '' });
    expect(ran.stderr).toContain('ApprovalDenied');
  });

  test('a client that leaves takes its question along', async () => {
    const started = place.start('gh issue create --repo acme/app --title left --body x');
    const { id } = await pendingQuestion(place.gateway);
    started.child.kill('SIGKILL');
    await waitFor('the end of the question', async () =>
      expect((await place.gateway.operator(`/v1/approvals/${id}`)).json()).toMatchObject({
        status: 'cancelled',
      }),
    );
  });
});
