/** Where a repository argument leads. */
export type GitRemote =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'path' }
  | { readonly kind: 'url'; readonly host: string; readonly port: number; readonly repository: string }
  | { readonly kind: 'unknown'; readonly reason: string };

const SSH_PORT = 22;
const SCHEMES: ReadonlyMap<string, number> = new Map([
  ['https:', 443],
  ['http:', 80],
  ['ssh:', SSH_PORT],
  ['git:', 9418],
  ['git+ssh:', SSH_PORT],
  ['ssh+git:', SSH_PORT],
]);

/** Reads the repository argument of fetch, push, pull, clone, ls-remote. */
export function readGitRemote(given: string): GitRemote {
  // SECURITY: `ext::sh -c …` and every other `helper::address` runs a program.
  if (/^[^/@:]*::/.test(given)) return { kind: 'unknown', reason: `\`${given}\` runs a transport helper` };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return readUrl(given);
  const scp = /^(?:[^@/]+@)?(\[[^\]/]+\]|[^:/[\]]+):(.*)$/.exec(given);
  if (scp !== null) return hostAndPath(scp[1] ?? '', scp[2] ?? '', given, SSH_PORT);
  if (given.startsWith('.') || given.startsWith('/') || given.startsWith('~')) return { kind: 'path' };
  return { kind: 'name', name: given };
}

function readUrl(given: string): GitRemote {
  if (!URL.canParse(given)) return { kind: 'unknown', reason: `\`${given}\` is no readable URL` };
  const url = new URL(given);
  if (url.protocol === 'file:') return { kind: 'path' };
  const usual = SCHEMES.get(url.protocol);
  if (usual === undefined) {
    return { kind: 'unknown', reason: `\`${given}\` uses the transport \`${url.protocol.slice(0, -1)}\`` };
  }
  return hostAndPath(url.hostname, url.pathname, given, url.port === '' ? usual : Number(url.port));
}

function hostAndPath(rawHost: string, rawPath: string, given: string, port: number): GitRemote {
  const host = rawHost
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');
  // SECURITY: `-oProxyCommand=…` as a host is an option of ssh.
  if (host === '' || host.startsWith('-')) return { kind: 'unknown', reason: `\`${given}\` names no host` };
  const path = trimSlashes(rawPath).replace(/\.git$/i, '');
  if (/(?:^|\/)\.{1,2}(?:\/|$)|[%?#\\]|\/\//.test(path)) {
    return { kind: 'unknown', reason: `the path of \`${given}\` can be read in more than one way` };
  }
  return { kind: 'url', host, port, repository: `${host}/${path}` };
}

/** Without the slashes at both ends. A loop, because `/+$` takes quadratic time on a hostile word. */
export function trimSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '/') start += 1;
  while (end > start && text[end - 1] === '/') end -= 1;
  return text.slice(start, end);
}
