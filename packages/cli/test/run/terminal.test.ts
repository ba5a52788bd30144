import { requireEngine } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { openRunFixture, PROGRAM } from './run-fixture.ts';
import { openScreen } from './screen.ts';

const bwrap = requireEngine('bubblewrap');
const tmux = requireEngine('tmux');

const RUN = `${process.execPath} ${PROGRAM} run`;

describe.skipIf(bwrap.missing || tmux.missing)(`a run in a terminal (${tmux.install})`, () => {
  test('has the terminal as if there were no jail: size, Ctrl-C, Ctrl-Z, fg, exit code, colours', async () => {
    await using fixture = await openRunFixture();
    using screen = openScreen(fixture.env(), fixture.workspace);
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
    await using fixture = await openRunFixture();
    using screen = openScreen(fixture.env(), fixture.workspace);
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
});
