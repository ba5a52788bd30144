import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, requirePartner, ScriptedModel } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { openScreen } from './screen.ts';
import { CANARIES, OUTSIDE, openTown, PROGRAM } from './town.ts';

const bwrap = requireEngine('bubblewrap');
const tmux = requireEngine('tmux');
const claude = requirePartner('claude');

const RUN = `${process.execPath} ${PROGRAM} run`;

describe.skipIf(bwrap.missing || tmux.missing)(`a run in a terminal (${tmux.install})`, () => {
  test('has the terminal as if there were no jail: size, Ctrl-C, Ctrl-Z, fg, exit code, colours', async () => {
    await using town = await openTown();
    using screen = openScreen(town.env(), town.workspace);
    screen.type("PS1='outside> '");
    screen.keys('Enter');
    await screen.shows(/^outside>/m);
    screen.type(`${RUN} -- bash --norc --noprofile`);
    screen.keys('Enter');
    await screen.shows(/bash-[\d.]+[#$]/);
    screen.type("PS1='inside> '; stty size; tput colors");
    screen.keys('Enter');
    await screen.shows(/^40 120\s[\s\S]*^inside>/m);
    screen.resize(90, 30);
    screen.type('stty size');
    screen.keys('Enter');
    await screen.shows(/^30 90$/m);

    screen.type('sleep 1000');
    screen.keys('Enter');
    await screen.shows(/sleep 1000$/m);
    screen.keys('C-c');
    await screen.shows(/\^C\s+inside>/);

    screen.type('exit 5');
    screen.keys('Enter');
    const last = await screen.shows(/jailed run of dev[\s\S]*outside>/);
    expect(last).toMatch(/asked {4}0: 0 approved/);
    screen.type('echo "code $?"');
    screen.keys('Enter');
    await screen.shows(/^code 5$/m);

    screen.keys('C-l');
    screen.type(`${RUN} -- bash -c 'echo ready; read line; echo "got $line"'`);
    screen.keys('Enter');
    await screen.shows(/^ready$/m);
    screen.keys('C-z');
    await screen.shows(/Stopped[\s\S]*^outside> $/m);
    screen.type('fg');
    screen.keys('Enter');
    screen.type('a line');
    screen.keys('Enter');
    await screen.shows(/^got a line$/m);
  });

  test('a REPL keeps what Ctrl-C means to it', async () => {
    await using town = await openTown();
    using screen = openScreen(town.env(), town.workspace);
    screen.type(`${RUN} --read ${process.execPath} -- ${process.execPath}`);
    screen.keys('Enter');
    await screen.shows(/^> $/m);
    screen.keys('C-c');
    await screen.shows(/To exit, press Ctrl\+C again/);
    screen.type('6 * 7');
    screen.keys('Enter');
    await screen.shows(/^42$/m);
    screen.keys('C-d');
    await screen.shows(/jailed run of dev/);
  });

  test.skipIf(claude.missing)(
    `the real Claude Code works as it does outside (${claude.install})`,
    async () => {
      let calls = 0;
      await using model = await ScriptedModel.start({
        host: OUTSIDE,
        apiKey: CANARIES.model,
        reply({ tools, text }) {
          if (!tools.includes('Bash') || !text.includes('please write it')) return { text: 'ok' };
          calls += 1;
          return calls === 1
            ? {
                toolCalls: [
                  { name: 'Bash', input: { command: 'echo hello > note.txt', description: 'write' } },
                ],
              }
            : { text: 'The note is written.' };
        },
      });
      const { port } = new URL(model.url);
      await using town = await openTown({
        config: `providers: [{ host: "${OUTSIDE}:${port}", provider: anthropic }]`,
        network: `  rules: [{ host: "${OUTSIDE}", port: ${port}, action: allow }, { host: "*", action: deny }]`,
        tenant: `    credentials:\n      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
        agent: '    credentials: [model]',
      });
      const state = {
        theme: 'dark',
        bypassPermissionsModeAccepted: true,
        oauthAccount: { token: CANARIES.env },
      };
      writeFileSync(join(town.userHome, '.claude.json'), JSON.stringify(state));
      using screen = openScreen({ ...town.env(), ANTHROPIC_BASE_URL: model.url }, town.workspace);
      screen.type(`${RUN} -- ${claude.program} --dangerously-skip-permissions`);
      screen.keys('Enter');
      await screen.shows(/bypass permissions on/);
      screen.type('please write it');
      await screen.shows(/please write it/);
      screen.keys('Enter');
      const shown = await screen.shows(/The note is written/);
      expect(shown).toContain('Ran 1 shell command');
      expect(readFileSync(join(town.workspace, 'note.txt'), 'utf8')).toBe('hello\n');
      screen.type('/exit');
      screen.keys('Enter');
      const last = await screen.shows(/jailed run of dev/);
      expect(last).toContain(OUTSIDE);
    },
  );
});
