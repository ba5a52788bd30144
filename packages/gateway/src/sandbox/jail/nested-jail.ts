import { SallyportError } from '@sallyport/protocol/error';
import type { HostFacts } from './host-facts.ts';
import type { JailSpec } from './jail-spec.ts';
import { seccompFilter } from './seccomp/seccomp-filter.ts';

/**
 * Options of a jail whose program, our worker, puts each command into a jail of the command's own.
 *
 * SECURITY: the worker keeps one capability over its own namespaces, which are worth nothing outside them, and may
 * mount and unshare. What it starts has neither: no capabilities, the whole filter, and no way to see the worker.
 */
export function nestingOptions(
  spec: JailSpec,
  facts: HostFacts,
  inside: string,
  fd: (content: Uint8Array | string) => string,
): string[] {
  if (spec.nests !== true) return [];
  if (spec.user.uid !== 0 || spec.user.gid !== 0) {
    // With any other id bwrap adds a user namespace at the end, from which nothing can be mounted any more.
    throw new SallyportError('SandboxRefused', {
      message: 'a jail that nests others must have the ids 0 inside',
      hint: 'they are mapped to the ids of whoever starts it',
    });
  }
  const filter = `${inside}/nest.bpf`;
  const how = { program: facts.bwrap, args: commandOptions(facts), filter };
  const file = (path: string, content: Uint8Array | string): string[] => [
    ...['--perms', '0444', '--file', fd(content), path],
  ];
  return [
    ...['--cap-add', 'CAP_SYS_ADMIN'],
    ...file(filter, seccompFilter(facts.arch)),
    ...file(`${inside}/nest.json`, JSON.stringify(how)),
  ];
}

/** The files of the jail around it, and processes, messages and /proc of its own. */
function commandOptions(facts: HostFacts): readonly string[] {
  const masked = facts.procMasked.flatMap((entry) => ['--ro-bind', '/dev/null', `/proc/${entry}`]);
  return [
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL'],
    ...['--dev-bind', '/', '/', '--proc', '/proc', ...masked, '--remount-ro', '/proc'],
  ];
}
