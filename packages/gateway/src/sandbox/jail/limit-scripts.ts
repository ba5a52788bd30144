import { DEFAULT_LIMITS, type JailSpec } from './jail-spec.ts';

/**
 * Runs inside, as the last thing before the forwarder or the command.
 *
 * Inside, because only there the number of processes is counted for this jail alone. A limit that cannot be set
 * is one that is lower already. `-u` is bash's letter for processes, `-p` dash's.
 */
const LIMIT = `{ ulimit -c 0; ulimit -f "$1"; ulimit -n "$2"; ulimit -u "$3" || ulimit -p "$3"; ulimit -d "$4"; } 2>/dev/null
shift 4
exec "$@"`;

/** Joins the control groups, then becomes bwrap. `0` means the process that writes. */
const JOIN = `n=$1; shift
while [ "$n" -gt 0 ]; do echo 0 >"$1" || exit 125; shift; n=$((n-1)); done
exec "$@"`;

/**
 * The same with a terminal: the jail is a foreground job of its own, as in an interactive shell.
 *
 * SECURITY: in the group of the caller, \`kill 0\` inside the jail would reach the caller and its pipeline.
 * When the job stops, so does the caller's group, and whoever continues that continues the job.
 */
const JOB = `set -m
n=$1; shift
while [ "$n" -gt 0 ]; do echo 0 >"$1" || exit 125; shift; n=$((n-1)); done
"$@"
code=$?
while jobs %1 >/dev/null 2>&1 && [ -n "$(jobs -s)" ]; do
  kill -STOP 0
  fg %1 >/dev/null
  code=$?
done
exit $code`;

/** Program and arguments that run in the jail: limits, then the forwarder if there are sockets, then the command. */
export function innerCommand(spec: JailSpec, inside: string): readonly string[] {
  const limits = { ...DEFAULT_LIMITS, ...spec.limits };
  const ports = spec.sockets.map(({ port }) => port).join(',');
  const forwarder = ports === '' ? [] : [`${inside}/node`, ...NODE_FLAGS, `${inside}/forwarder.cjs`, ports];
  return [
    ...['/bin/sh', '-c', LIMIT, 'sh'],
    String(Math.ceil(limits.fileBytes / 512)),
    String(limits.openFiles),
    String(limits.processes),
    String(Math.ceil(limits.memoryBytes / 1024)),
    ...forwarder,
    ...spec.command,
  ];
}

/** What is not needed to pass bytes on is not started. */
const NODE_FLAGS = ['--no-addons', '--disable-warning=ExperimentalWarning', '--max-old-space-size=64'];

/** What the caller starts: bwrap, in its control groups and, with a terminal, as a job of its own. */
export function outerCommand(
  bwrap: readonly [string, ...string[]],
  cgroups: readonly string[],
  tty: boolean,
): readonly [string, ...string[]] {
  if (!tty && cgroups.length === 0) return bwrap;
  return [
    tty ? '/bin/bash' : '/bin/sh',
    '-c',
    tty ? JOB : JOIN,
    'sh',
    String(cgroups.length),
    ...cgroups,
    ...bwrap,
  ];
}
