import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFakeTerminal, type TerminalOptions } from './fake-terminal.ts';
import { openRunFixture, PROGRAM, type RunFixture } from './run-fixture.ts';

const bwrap = requireEngine('bubblewrap');
const RUN = `${process.execPath} ${PROGRAM} run`;
const NEXT = `${process.execPath} ${join(import.meta.dirname, 'next-reader.mjs')}`;

/** Everything that a terminal answers, and everything that makes it report by itself. */
const ASK = String.raw`\e[c\e[>c\e[6n\e]11;?\e\\\e]10;?\a\e]52;c;?\a\eP$qm\e\\\e[>0q\e[21t\e[?u`;
const REPORT = String.raw`\e[?1000h\e[?1003h\e[?1006h\e[?1004h\e[?2004h\e[?1049h\e[?1h\e[>31u\e[?2048h`;

describe.skipIf(bwrap.missing)(`[JA-8] the terminal after a run (${bwrap.install})`, () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openRunFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  const open = (command: string, over: Partial<TerminalOptions> = {}) =>
    openFakeTerminal(command, { env: fixture.env(), cwd: fixture.workspace, ...over });
  const left = async (terminal: ReturnType<typeof open>): Promise<string> =>
    JSON.parse((await terminal.shows(/LEFT(".*")/))[1] ?? '');

  test('the fake terminal answers, so that without a jail the next reader gets all of it', async () => {
    using terminal = open(`stty raw -echo; printf '${ASK}'; stty sane; ${NEXT}`);
    expect(await left(terminal)).toContain('rm -rf ~');
  });

  test.each([
    { why: 'many questions just before the end', script: `printf '${ASK.repeat(20)}'` },
    { why: 'an end that is a failure', script: `printf '${ASK}'; exit 3` },
    { why: 'an end by a signal', script: `printf '${ASK}'; kill -9 $$` },
    { why: 'a sequence without an end, which would swallow ours', script: String.raw`printf '${ASK}\e]0;x'` },
    { why: 'questions on its standard input, in a pipe', script: `printf '${ASK}' >&0`, pipe: '| cat' },
    {
      why: 'a terminal that was to be taken for good, and stopped',
      script: `perl -e "ioctl(STDIN, 0x540c, 0); ioctl(STDIN, 0x540a, 0)"; printf '${ASK}'`,
    },
    { why: 'a terminal that is left without echo', script: `stty raw -echo; printf '${ASK}'` },
  ])('has nothing for the next reader after $why', async ({ script, pipe = '' }) => {
    using terminal = open(`${RUN} -- bash -c '${script.replaceAll("'", `'\\''`)}' ${pipe}; ${NEXT}`);
    expect(await left(terminal)).toBe('');
  });

  test('has nothing for it either when the answer that we wait for was there before, and the rest is slow', async () => {
    // Every place of the cursor is asked for, and one question that takes its time.
    const places = `for r in {1..24}; do for c in {1..80}; do printf '\\e[%d;%dH\\e[6n' $r $c; done; done`;
    using terminal = open(
      `${RUN} -- bash -c '${places.replaceAll("'", `'\\''`)}; printf "\\e[>0q"'; ${NEXT}`,
      {
        answerMs: (question) => (question.endsWith('q') ? 300 : 0),
      },
    );
    expect(await left(terminal)).toBe('');
  });

  test('is in no mode any more in which it reports by itself, also when its agent was ended by force', async () => {
    using terminal = open(`${RUN} -- bash -c 'printf "${REPORT}\\n"; echo u""p; sleep 600'; ${NEXT}`);
    await terminal.shows(/^up/m);
    expect(terminal.modes()).toContain('1003');
    const sessions = (await fixture.gateway.operator('/v1/sessions')).json<{ items: { id: string }[] }>();
    for (const { id } of sessions.items)
      await fixture.gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' });
    expect(await left(terminal)).toBe('');
    // The cursor is there to be seen.
    expect(terminal.modes()).toEqual(['25']);
    expect(terminal.text()).toContain('the run was ended');
  });

  test('belongs to the shell when the agent is stopped: nothing is left for that either', async () => {
    using terminal = open('bash --norc --noprofile -i');
    terminal.type("PS1='outside> '\n");
    await terminal.shows(/outside> $/);
    terminal.type(
      `${RUN} -- bash -c 'printf "${ASK}${REPORT}"; kill -TSTP 0; echo again; read line; echo "got $line"'\n`,
    );
    await terminal.shows(/Stopped[\s\S]*outside> $/);
    expect(terminal.modes()).not.toContain('1003');
    terminal.type(`${NEXT}\n`);
    expect(await left(terminal)).toBe('');
    await terminal.shows(/LEFT""[\s\S]*outside> $/);
    terminal.type('fg\n');
    await terminal.shows(/again/);
    terminal.type('a line\n');
    await terminal.shows(/got a line[\s\S]*jailed run of dev[\s\S]*outside> $/);
  });

  test('that answers nothing keeps nobody waiting for long', async () => {
    using terminal = open(`${RUN} -- true; echo "e""nd"`, { isMute: true });
    await terminal.shows(/\bend\b/);
  });
});
