import { isAbsolute, join } from 'node:path';
import { gitPlacesOf, LARGEST_CONFIG, readPlainText } from './git-folder.ts';

/** A repository has a handful of remotes; what has more is not one that a person set up. */
const MOST_REMOTES = 32;

/**
 * The repositories that the git remotes of a folder name, as `host/owner/name`: of the repository that the folder is in.
 * Empty for what is none.
 *
 * SECURITY: reads text and runs nothing: a workspace could have put a program where git looks for one. Includes and
 * rewriting of addresses are left out; they could only add repositories.
 */
export function readRemotes(folder: string): readonly string[] {
  const places = isAbsolute(folder) ? gitPlacesOf(folder) : undefined;
  return places === undefined
    ? []
    : remoteRepositories(readPlainText(join(places.common, 'config'), LARGEST_CONFIG) ?? '');
}

/** The repositories that the text of a git config names as remotes, sorted, each once. */
export function remoteRepositories(text: string): readonly string[] {
  const found = new Set<string>();
  for (const { section, key, value } of readEntries(text)) {
    if (section !== 'remote' || (key !== 'url' && key !== 'pushurl')) continue;
    const repository = repositoryOfAddress(value);
    if (repository !== undefined && found.size < MOST_REMOTES) found.add(repository);
  }
  return [...found].sort();
}

const SAME_HOSTS: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};
const WITH_SCHEME = /^(?:https?|ssh|git|git\+ssh|ssh\+git):\/\/(?:[^/@]*@)?([a-z0-9.-]+)(?::\d+)?\/+(.+)$/i;
const LIKE_SCP = /^(?:[^/@:]+@)?([a-z0-9][a-z0-9.-]*\.[a-z0-9-]+):(?!\/\/)\/?(.+)$/i;

/** `host/owner/name` of `https://host/owner/name.git`, `ssh://git@host/owner/name`, `git@host:owner/name`. */
export function repositoryOfAddress(address: string): string | undefined {
  const [, host = '', path = ''] = WITH_SCHEME.exec(address) ?? LIKE_SCP.exec(address) ?? [];
  const plain = path
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  // What has dots, blanks or escapes in a part may be another repository to the server.
  if (host === '' || !/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)+$/.test(plain) || plain.includes('..'))
    return undefined;
  const name = host.toLowerCase().replace(/\.$/, '');
  return `${SAME_HOSTS[name] ?? name}/${plain}`;
}

interface Entry {
  /** in lower case, without its subsection */
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

/** Entries of a git config, as git reads them: comments, quotes, escapes, and lines that go on. */
function readEntries(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  let section = '';
  for (const line of text.replaceAll(/\r\n/g, '\n').replaceAll(/\\\n/g, '').split('\n')) {
    const head = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"(?:[^"\\]|\\.)*"\s*)?\]/.exec(line);
    if (head !== null) section = (head[1] ?? '').toLowerCase();
    else if (/^\s*\[/.test(line)) section = '';
    const rest = head === null ? line : line.slice(head[0].length);
    const [, key, value] = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=(.*)$/.exec(rest) ?? [];
    if (key !== undefined && value !== undefined)
      entries.push({ section, key: key.toLowerCase(), value: plainValue(value) });
  }
  return entries;
}

function plainValue(text: string): string {
  let value = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === '\\') {
      at += 1;
      value += text.charAt(at);
    } else if (!isQuoted && (sign === '#' || sign === ';')) break;
    else value += sign;
  }
  return value.trim();
}
