import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Step } from './read-day.ts';

const PLAIN = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' };
const NAMED = { GIT_AUTHOR_NAME: 'ana', GIT_AUTHOR_EMAIL: 'ana@acme.example' };
const ENV = {
  ...{ PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...PLAIN, ...NAMED },
  ...{ GIT_COMMITTER_NAME: NAMED.GIT_AUTHOR_NAME, GIT_COMMITTER_EMAIL: NAMED.GIT_AUTHOR_EMAIL },
};

/** Runs git without any settings of the machine. Output is not looked at. */
export function git(cwd: string, ...words: readonly string[]): void {
  execFileSync('git', words, { cwd, env: ENV, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** A line of nothing but these: no words that only a shell knows, nothing that leaves the machine. */
const LOCAL = /^git (?:checkout|switch|add|commit) [^|;<>$`\\\n&]*$/;

/**
 * Does what an allowed step does to its repository, as far as later steps look at it: files that are written, branches
 * that are made, commits; and of a push what git notes when it is over. Nothing else of a day is carried out.
 */
export function carryOut({ verb, rest }: Step, folder: string): void {
  if (verb === 'Write' || verb === 'Edit' || verb === 'Patch') {
    if (rest.startsWith('/') || rest.startsWith('~') || rest.includes('..')) return;
    mkdirSync(dirname(join(folder, rest)), { recursive: true });
    appendFileSync(join(folder, rest), 'changed\n');
    return;
  }
  if (verb !== 'Bash') return;
  const pushed = /^git push -u origin ([\w./-]+)$/.exec(rest)?.[1];
  const lines = rest.split(' && ');
  try {
    if (pushed !== undefined) notePush(folder, pushed);
    else if (lines.every((line) => LOCAL.test(line))) for (const line of lines) git(folder, ...wordsOf(line));
  } catch {
    // As on any day: nothing to commit, a branch that is there already. The day goes on.
  }
}

function notePush(folder: string, branch: string): void {
  git(folder, 'update-ref', `refs/remotes/origin/${branch}`, `refs/heads/${branch}`);
  git(folder, 'branch', '--quiet', `--set-upstream-to=origin/${branch}`, branch);
}

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .slice(1)
    .map(([word, double, single]) => double ?? single ?? word);
}
