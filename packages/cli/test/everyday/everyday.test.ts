import { startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Place, type Ran, runOn } from '../run-command.ts';

const CONFIG = `
tenants: { default: { default_user: ana, default_agent: dev, users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { dev: { permissions: ["allow:*"] } }
`;
const LONG =
  'cd packages/console && npm ci --no-audit && npm publish --tag next --access public --provenance';

let gateway: TestGateway;
const ids: string[] = [];
beforeAll(async () => {
  gateway = await startTestGateway({ config: CONFIG });
  for (const title of [LONG, 'git push origin main']) {
    const json = { session_id: 'sess_1', action_type: 'exec_cmd', title, preview: `$ ${title}` };
    const created = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json });
    ids.push(created.json<{ approval_id: string }>().approval_id);
  }
});
afterAll(() => gateway.close());

const on = (place: Place, ...argv: readonly string[]): Promise<Ran> => runOn(place, gateway.home, ...argv);

/** Without what differs each time, and as wide as it was. */
function recorded({ stdout, stderr }: Ran): string {
  return (
    `${stdout}${stderr === '' ? '' : `--\n${stderr}`}`
      .replaceAll(gateway.home, 'HOME')
      .replace(/\b(appr|sess|evt|key|enr)_[0-9a-z]+/g, (id) =>
        id.replace(/(?<=_).*/, (rest) => 'x'.repeat(rest.length)),
      )
      // How much of an id it takes to tell it from the next is chance.
      .replace(/^(ID|appr_x+…) +/gm, (_, first: string) => (first === 'ID' ? 'ID      ' : 'appr_…  '))
      .replace(/^(appr_….*cd packages\/console).*…$/m, '$1 …')
      .replace(/\b[0-9a-f]{12}\b/g, 'cccccccccccc')
      .replace(/\d\d:\d\d:\d\d/g, 'hh:mm:ss')
      .replace(/pid \d+/, 'pid N')
  );
}

describe.each([80, 120])('on a terminal of %i columns', (columns) => {
  test('tables fit, and the last column is cut last', async () => {
    const ran = await on({ columns }, 'pending');
    for (const line of ran.stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(columns);
    expect(ran.stdout).toContain('git push origin main');
    expect(recorded(ran)).toMatchSnapshot();
  });

  test('one question is all of it, within the terminal', async () => {
    const ran = await on({ columns }, 'pending', ids[1] ?? '');
    for (const line of ran.stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(columns);
    expect(recorded(ran)).toMatchSnapshot();
  });

  test('the trail is a line for each event: when, who, what, which verdict, why', async () => {
    const ran = await on({ columns }, 'audit', 'tail', '-n', '4');
    for (const line of ran.stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(columns);
    expect(ran.stdout).not.toMatch(/[0-9a-f]{64}|evt_/);
    expect(recorded(ran)).toMatchSnapshot();
  });
});

describe('nothing is cut', () => {
  test.each([
    { why: 'with --wide', place: { columns: 60 }, argv: ['pending', '--wide'] },
    { why: 'in a pipe', place: {}, argv: ['pending'] },
    { why: 'as JSON', place: { columns: 60 }, argv: ['pending', '--json'] },
    { why: 'in the trail with --wide', place: { columns: 60 }, argv: ['audit', 'tail', '--wide'] },
  ])('$why', async ({ place, argv }) => {
    const { stdout } = await on(place, ...argv);
    expect(stdout).toContain(LONG);
  });

  test('hashes are shown on request', async () => {
    expect((await on({}, 'audit', 'tail', '--hashes')).stdout).toMatch(/evt_\w{26} .*binding=[0-9a-f]{64}/);
  });
});

describe('what people saw is found in the trail', () => {
  test.each([
    { why: 'a title', text: 'git push origin main' },
    { why: 'in other letters', text: 'GIT Push' },
    { why: 'a shell line, though it is kept in parts', text: 'cd packages/console && npm ci --no-audit' },
  ])('$why', async ({ text }) => {
    expect((await on({}, 'audit', 'search', text)).stdout).toMatch(/→ asks/);
  });

  test('and what nobody saw is not', async () => {
    expect((await on({}, 'audit', 'search', 'git push origin elsewhere')).stdout).toBe('nothing found\n');
  });
});

describe('ids', () => {
  test('may be shortened, and copied as a table prints them', async () => {
    const [long = ''] = ids;
    for (const typed of [long, long.slice(0, 24), `${long.slice(0, 24)}…`, long.slice(5, 24)])
      expect((await on({}, 'pending', typed, '--json')).json<{ id: string }>().id).toBe(long);
    const opened = (await on({}, 'sessions', 'open', '--json')).json<{ session_id: string }>().session_id;
    const shown = await on({}, 'sessions', 'show', opened.slice(0, 20), '--json');
    expect(shown.json<{ id: string }>().id).toBe(opened);
    expect((await on({}, 'sessions', 'end', opened.slice(0, 20))).stdout).toBe(`${opened} has ended\n`);
  });

  test('that are too short or of another kind are refused, and nothing is decided', async () => {
    const several = await on({}, 'approve', 'appr_01');
    expect(several).toMatchObject({ code: 1, stdout: '' });
    expect(several.stderr).toMatch(/several ids begin with `appr_01`/);
    const other = await on({}, 'approve', 'sess_01m');
    expect(other.stderr).toMatch(
      /is the id of a session, and a question is meant\n {2}try: sallyport pending/,
    );
    expect((await on({}, 'pending', '--json')).json<{ items: unknown[] }>().items).toHaveLength(2);
  });
});

test('approve without an id offers a list, shows the question, and takes the only one', async () => {
  const script = await on({}, 'approve');
  expect(script.stderr).toMatch(/error: 2 questions wait: say which\n {2}try: sallyport pending/);
  const no = await on({ columns: 100, typed: ['1', 'n'] }, 'approve');
  expect(no.stdout).toBe('nothing was decided\n');
  const chosen = await on({ columns: 100, typed: ['1', 'y'] }, 'approve');
  expect(chosen.stdout).toMatch(/is approved/);
  const only = await on({}, 'deny');
  expect(only.stdout).toMatch(/is denied/);
  expect((await on({}, 'approve')).stderr).toMatch(/^error: nothing waits for you\n/);
});
