import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { SallyportError } from '@sallyport/protocol/error';
import { hostFacts } from './host-facts.ts';

/** What a kernel says about namespaces of ordinary users. Absent: it has no such setting. */
export interface NamespaceFacts {
  /** `kernel.apparmor_restrict_unprivileged_userns` */
  readonly apparmor: string | undefined;
  /** `kernel.unprivileged_userns_clone` */
  readonly clone: string | undefined;
  /** `user.max_user_namespaces` */
  readonly most: string | undefined;
  /** whether this is the inside of a container of Docker or Podman */
  readonly isContainer: boolean;
  /** what bwrap said */
  readonly said: string;
}

const SMALLEST = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-net',
  '--ro-bind',
  '/',
  '/',
  '--',
  '/bin/true',
];

/** Builds the smallest jail there is. Why that cannot be done here; undefined when it can. */
export function probeJail(): SallyportError | undefined {
  let bwrap: string;
  try {
    ({ bwrap } = hostFacts());
  } catch (error) {
    if (error instanceof SallyportError) return error;
    throw error;
  }
  const tried = spawnSync(bwrap, SMALLEST, { encoding: 'utf8', timeout: 5_000, env: {} });
  if (tried.status === 0) return undefined;
  return explainNoNamespaces({
    apparmor: sysctl('kernel/apparmor_restrict_unprivileged_userns'),
    clone: sysctl('kernel/unprivileged_userns_clone'),
    most: sysctl('user/max_user_namespaces'),
    isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
    said: tried.stderr?.trim() ?? '',
  });
}

/** What to do about a kernel that gives no namespaces. */
export function explainNoNamespaces({
  apparmor,
  clone,
  most,
  isContainer,
  said,
}: NamespaceFacts): SallyportError {
  const refused = (message: string, hint: string): SallyportError =>
    new SallyportError('SandboxUnavailable', { message, hint });
  if (clone === '0') {
    return refused(
      'this kernel gives no user namespaces to ordinary users (kernel.unprivileged_userns_clone is 0)',
      'run `sudo sysctl -w kernel.unprivileged_userns_clone=1`, and keep it in a file in /etc/sysctl.d',
    );
  }
  if (most === '0') {
    return refused(
      'this kernel gives no user namespaces at all (user.max_user_namespaces is 0)',
      'run `sudo sysctl -w user.max_user_namespaces=15000`, and keep it in a file in /etc/sysctl.d',
    );
  }
  if (apparmor === '1') {
    return refused(
      'AppArmor keeps bwrap from making user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1)',
      'give bwrap a profile: `sudo apt-get install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor`',
    );
  }
  // A container whose user may make no more of them is not mended by its options.
  if (isContainer && !/namespaces exceeded/.test(said)) {
    return refused(
      `this is a container, whose own rules keep bwrap from building a jail${said === '' ? '' : `: ${said.split('\n')[0]}`}`,
      'run `sallyport run` on the host, or start the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`, which weakens the container; see docs/sandbox.md',
    );
  }
  return refused(
    `bwrap cannot build a jail here${said === '' ? '' : `: ${said.split('\n')[0]}`}`,
    'allow user namespaces for it; see docs/sandbox.md',
  );
}

function sysctl(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
