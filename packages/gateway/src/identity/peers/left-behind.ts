import { basename } from 'node:path';
import {
  argumentsOf,
  groupOf,
  type ProcessEntry,
  type ProcessId,
  systemProgram,
  variablesOf,
} from './process-table.ts';

/**
 * Variables that clients set for what their agents start, and for nothing else; seen in Claude Code 2, Codex and Pi, or
 * named in the documentation of others. `CLAUDE_CODE_SSE_PORT` is none: editors set it in terminals of people.
 */
const MARKS =
  `CLAUDECODE CLAUDE_CODE_CHILD_SESSION CLAUDE_PID CODEX_THREAD_ID CODEX_TOOL_CALL_ID CODEX_SANDBOX
  CODEX_SANDBOX_NETWORK_DISABLED PI_CODING_AGENT PI_SESSION_ID AI_AGENT CURSOR_AGENT GEMINI_CLI OPENCODE
  SALLYPORT_SESSION_ID`.split(/\s+/);

/**
 * The mark of a client in what a family of processes was started with. A daemon keeps it when its parents are gone.
 *
 * What the gateway itself was started with says nothing: then all of this is inside one agent.
 */
export function markOf(family: readonly ProcessEntry[]): string | undefined {
  const ours = variablesOf(process.pid);
  const marks = MARKS.filter((name) => !ours.has(name));
  for (const { pid } of family) {
    const variables = variablesOf(pid);
    const mark = marks.find((name) => variables.has(name));
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/** Programs that people start from a menu, which leaves them without a parent too. */
const BROWSERS: ReadonlySet<string> = new Set(
  `firefox firefox-bin firefox-esr librewolf chrome chromium chromium-browser brave vivaldi-bin opera msedge epiphany
  falkon konqueror`.split(/\s+/),
);
const SHELLS = /^-?(?:sh|bash|dash|zsh|fish|ksh|mksh|ash|busybox)$/;

/**
 * Whether nobody can tell who started a process, and it may have been this client: it has no terminal, its parents are
 * gone, the oldest that is left began after the client, in the client's own group of processes.
 */
export function mayBeLeftBy(client: ProcessId, family: readonly ProcessEntry[]): boolean {
  const [peer] = family;
  if (peer === undefined || peer.hasTerminal) return false;
  const orphan = family.find(({ parent }) => takesOrphans(parent));
  if (orphan === undefined || BigInt(orphan.began) <= BigInt(client.began)) return false;
  if (groupOf(orphan.pid) !== groupOf(client.pid)) return false;
  return !BROWSERS.has(systemProgram(orphan.pid) ?? '');
}

/** The first process of the machine or of a login. A shell in that place (`docker run … bash`) starts things itself. */
function takesOrphans(pid: number): boolean {
  const name = basename(argumentsOf(pid)[0] ?? '');
  return pid === 1 ? !SHELLS.test(name) : name === 'systemd';
}
