/**
 * `npm run picture`: records two terminals of a real run (an agent in a jail that asks, and its person who answers) and writes
 * them to docs/pictures, once for light and once for dark pages. Needs tmux, bubblewrap and curl.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { terminalSvg } from './terminal-svg.ts';

const root = resolve(import.meta.dirname, '../..');
const PROGRAM = join(root, 'packages/cli/bin/sallyport.js');
const COLUMNS = 88;
const ROWS = 11;
/** Nobody answers there: the request is refused before anything is sent. */
const ISSUE = 'https://api.github.com/repos/acme/app/issues';
const AGENT = `curl -sS ${ISSUE} -d 'title=Build is red'`;

const folder = mkdtempSync(join(tmpdir(), 'picture-'));
const home = join(folder, 'ana');
const socket = join(folder, 'tmux');
const tmux = (...argv: readonly string[]): string =>
  execFileSync('tmux', ['-S', socket, ...argv], { encoding: 'utf8' });

/** Types a line into a terminal, as a person would. */
function type(pane: string, line: string): void {
  tmux('send-keys', '-t', pane, '-l', line);
  tmux('send-keys', '-t', pane, 'Enter');
}

async function shows(pane: string, pattern: RegExp): Promise<void> {
  for (let looks = 0; looks < 300; looks += 1) {
    if (pattern.test(tmux('capture-pane', '-p', '-t', pane))) return;
    await pause(100);
  }
  throw new Error(`the terminal never showed ${pattern}:\n${tmux('capture-pane', '-p', '-t', pane)}`);
}

async function record(): Promise<readonly { title: string; text: string }[]> {
  mkdirSync(join(home, 'app'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  const shim = join(folder, 'bin/sallyport');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(shim, 0o755);
  const env = {
    HOME: home,
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
    TERM: 'xterm-256color',
  };
  const started = [
    'start',
    '--detach',
    '--api-port',
    '0',
    '--proxy-port',
    '0',
    '--operator-port',
    '0',
    '--ssh-port',
    '0',
  ];
  execFileSync(shim, started, { env });
  const size = ['-x', String(COLUMNS), '-y', String(ROWS)];
  const shell = `cd '${home}/app' && exec env -i ${Object.entries(env)
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ')} PS1='$ ' /bin/sh`;
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'agent', ...size, shell);
  tmux('set-option', '-g', 'status', 'off');
  tmux('new-session', '-d', '-s', 'person', ...size, shell);
  try {
    type('agent', `sallyport run -- ${AGENT}`);
    await shows('agent', /waits for you/);
    type('person', 'sallyport deny');
    await shows('person', /\(y\/n\)/);
    type('person', 'y');
    await shows('person', /is denied/);
    await shows('agent', /jailed run of/);
    return [
      { title: 'the agent', text: tmux('capture-pane', '-e', '-p', '-S', '-40', '-t', 'agent') },
      { title: 'you', text: tmux('capture-pane', '-e', '-p', '-S', '-40', '-t', 'person') },
    ];
  } finally {
    tmux('kill-server');
    execFileSync(shim, ['stop'], { env });
  }
}

try {
  const panes = await record();
  mkdirSync(join(root, 'docs/pictures'), { recursive: true });
  for (const theme of ['light', 'dark'] as const)
    writeFileSync(join(root, `docs/pictures/question-${theme}.svg`), terminalSvg(panes, COLUMNS, theme));
  console.log('wrote docs/pictures/question-light.svg and question-dark.svg');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
