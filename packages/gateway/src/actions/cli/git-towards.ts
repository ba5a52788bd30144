import { asUnknown, type CliIntent } from './cli-intent.ts';
import { readGitRemote } from './git-remote-url.ts';
import { hostFact, withHosts } from './host-text.ts';

/** Adds where a repository argument leads; unknown when it is a program or no readable address. */
export function towards(intent: CliIntent, given: string): CliIntent {
  const remote = readGitRemote(given);
  if (remote.kind === 'unknown') return asUnknown(intent, remote.reason);
  return remote.kind === 'url' ? withHosts(intent, hostFact(remote.host, remote.port)) : intent;
}
