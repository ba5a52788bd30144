import { fileURLToPath } from 'node:url';
import { requireEngine, startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Terminal } from './tmux.ts';

const tmux = requireEngine('tmux');
const BIN = fileURLToPath(new URL('../../bin/sallyport.js', import.meta.url));
const CONFIG = `
tenants: { default: { users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["approve:*"] } }
`;

/** The questions on a screen, without what is different each time. */
function recorded(screen: string): string {
  const [questions = ''] = screen.split('── what agents do now');
  return questions
    .replace(/(appr|sess)_[0-9a-z]{26}/g, '$1_…')
    .replace(/\b[0-9a-f]{12}\b/g, '(client)')
    .replace(/(ends in|Expires {3}in) .*/g, '$1 (left)');
}

describe.skipIf(tmux.missing)(`sallyport watch beside a running gateway (${tmux.install})`, () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway({ config: CONFIG });
  });
  afterEach(() => gateway.close());

  const ask = async (title: string): Promise<string> => {
    const json = { session_id: 'sess_1', action_type: 'exec_cmd', title, preview: `$ ${title}` };
    const created = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json });
    return created.json<{ approval_id: string }>().approval_id;
  };
  const open = () =>
    Terminal.open(`exec ${process.execPath} ${BIN} watch`, { SALLYPORT_HOME: gateway.home, NO_COLOR: '1' });

  test('three questions are decided by key, each as the screen showed it, and the asker gets each answer', async () => {
    const ids = [await ask('git push origin main'), await ask('rm -rf build'), await ask('npm publish')];
    const [push = '', remove = '', publish = ''] = ids;
    // Somebody waits for each of them, as an agent does.
    const answers = ids.map((id) => gateway.agent(`/v1/approvals/${id}?wait=60`, { token: gateway.apiKey }));
    await using terminal = await open();
    const first = await terminal.shows(/3 waiting[\s\S]*1 Allow once/);
    for (const title of ['git push origin main', 'rm -rf build', 'npm publish'])
      expect(first).toContain(title);
    expect(recorded(first)).toMatchSnapshot();
    for (const [key, title, told] of [
      ['1', 'git push', `${push} is approved`],
      ['3', 'rm -rf', `${remove} is denied`],
      ['2', 'npm publish', `${publish} is approved`],
    ] as const) {
      await terminal.shows(new RegExp(`▶ \\w+ +${title}[\\s\\S]*1 Allow once`));
      await terminal.press(key);
      await terminal.shows(new RegExp(told));
    }
    const decided = (await Promise.all(answers)).map((answer) => answer.json());
    expect(decided).toMatchObject([
      { status: 'approved', decision: { code: '1' } },
      { status: 'denied', decision: { code: '3' } },
      { status: 'approved', decision: { code: '2' } },
    ]);
    await terminal.shows(/nothing waits for you/);
    const events = await gateway.operator('/v1/audit/events?type=ApprovalEvent::Decided');
    const actors = events.json<{ items: { actor: object }[] }>().items.map(({ actor }) => actor);
    expect(actors).toEqual(Array(3).fill({ kind: 'operator', via: 'api' }));
    await terminal.press('q');
    expect(await terminal.ended()).toBe(0);
  });
});
