import type { SandboxLimits } from '../spec/sandbox-spec.ts';
import { DEFAULT_LIMITS, type JailSpec } from './jail-spec.ts';

/**
 * Runs inside, as the last thing before the command, or before a caller whose commands inherit the limits.
 *
 * Inside, because only there the number of processes is counted for this jail alone. A limit that cannot be set
 * is one that is lower already. `-u` is bash's letter for processes, `-p` dash's.
 */
const LIMIT = `{ ulimit -c 0; ulimit -f "$1"; ulimit -n "$2"; ulimit -u "$3" || ulimit -p "$3"; ulimit -d "$4"; } 2>/dev/null
shift 4
exec "$@"`;

/**
 * Joins the control groups, then becomes bwrap. `0` means the process that writes.
 *
 * With a forwarder inside, bwrap ignores the signals that are meant for the command: it would die of them and
 * take the jail along. The forwarder gives the command the usual behaviour back.
 */
const JOIN = `[ "$1" = 0 ] || trap '' INT QUIT TERM HUP
n=$2; shift 2
while [ "$n" -gt 0 ]; do echo 0 >"$1" || exit 125; shift; n=$((n-1)); done
exec "$@"`;

/**
 * The same with a terminal: the jail is a foreground job of its own, as in an interactive shell.
 *
 * SECURITY: in the group of the caller, `kill 0` inside the jail would reach the caller and its pipeline.
 * When the job stops, the caller hears of it (SIGTSTP), gives the terminal back and stops its group; whoever continues
 * that continues the job.
 * Bash finds its terminal at descriptor 2; open for reading only, its own messages about the job go nowhere.
 */
const JOB = `exec {err}>&2 2</dev/tty
set -m
(
exec 2>&$err {err}>&-
${JOIN}
)
code=$?
while [ -n "$(jobs -s)" ]; do
  kill -TSTP $PPID
  kill -STOP $$
  fg %+ >/dev/null
  code=$?
done
exit $code`;

/** What is not needed to pass bytes on is not started. */
const NODE_FLAGS = ['--no-addons', '--max-old-space-size=64', '--single-threaded-gc'];

/** What listens inside the jail, as paths there. */
export interface Forwarder {
  readonly kind: 'perl' | 'node';
  readonly program: string;
  readonly file: string;
}

export interface InnerOptions {
  readonly forwarder: Forwarder;
  /** limits that a control group keeps: what it does not is left to each process or user */
  readonly together: { readonly processes: boolean; readonly memory: boolean };
  /** the caller has these limits itself, so that everything it starts is born with them */
  readonly inherited: boolean;
  /** descriptor whose end tells that the caller is gone */
  readonly lifeline: number;
}

/** Program and arguments that run in the jail: the forwarder if there are sockets, then limits, then the command. */
export function innerCommand(
  spec: JailSpec,
  { forwarder: { kind, program, file }, together, inherited, lifeline }: InnerOptions,
): readonly string[] {
  const ports = spec.sockets.map(({ port }) => port).join(',');
  const flags = kind === 'node' ? NODE_FLAGS : [];
  const forwarder = [program, ...flags, file, String(lifeline), ports];
  // INVARIANT: the number of processes is counted for this jail only when it is set inside.
  const limited =
    inherited && together.processes ? spec.command : withLimits(spec.limits, together, spec.command);
  return [...(ports === '' ? [] : forwarder), ...limited];
}

/** The command with its limits set before it starts. */
export function withLimits(
  limits: SandboxLimits,
  together: InnerOptions['together'],
  command: readonly string[],
): readonly [string, ...string[]] {
  const { fileBytes, openFiles, processes, memoryBytes } = { ...DEFAULT_LIMITS, ...limits };
  return [
    ...(['/bin/sh', '-c', LIMIT, 'sh'] as const),
    String(Math.ceil(fileBytes / 512)),
    String(openFiles),
    together.processes ? 'unlimited' : String(processes),
    together.memory ? 'unlimited' : String(Math.ceil(memoryBytes / 1024)),
    ...command,
  ];
}

export interface OuterOptions {
  readonly cgroups: readonly string[];
  readonly tty: boolean;
  readonly forwarder: boolean;
  /** path of `setpriv`, needed with a terminal */
  readonly setpriv: string | undefined;
}

/** What the caller starts: bwrap, in its control groups and, with a terminal, as a job of its own. */
export function outerCommand(
  bwrap: readonly [string, ...string[]],
  { cgroups, tty, forwarder, setpriv }: OuterOptions,
): readonly [string, ...string[]] {
  if (!tty && !forwarder && cgroups.length === 0) return bwrap;
  const script = ['-c', tty ? JOB : JOIN, 'sh', forwarder ? '1' : '0', String(cgroups.length), ...cgroups];
  if (!tty) return ['/bin/sh', ...script, ...bwrap];
  // SECURITY: bwrap dies with its parent, the shell; so the shell has to die with the caller.
  const guard: readonly string[] = setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--'];
  const [program = '/bin/bash', ...args] = [...guard, '/bin/bash', ...script, ...bwrap];
  return [program, ...args];
}
