import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitSettings } from './run-env.ts';

/** Who commits, and where this workspace's remotes are. Reads text; runs nothing that a workspace could have put there. */
export function readGitSettings(userHome: string, workspace: string): GitSettings {
  const own = sections(
    read(join(userHome, '.gitconfig')) ?? read(join(userHome, '.config/git/config')) ?? '',
  );
  const names = own
    .filter(({ section }) => section === 'user')
    .flatMap(({ key, value }) =>
      key === 'name' || key === 'email' ? [[`user.${key}`, value] as const] : [],
    );
  const hosts = sections(read(join(workspace, '.git/config')) ?? '')
    .filter(({ section, key }) => section.startsWith('remote ') && (key === 'url' || key === 'pushurl'))
    .flatMap(({ value }) => sshHost(value) ?? []);
  return { names, hosts };
}

/** The host of `git@host:path` and `ssh://git@host/path`; undefined for any other address. */
function sshHost(url: string): string | undefined {
  return /^(?:ssh:\/\/git@([a-z0-9.-]+)\/|git@([a-z0-9.-]+):)/i.exec(url)?.slice(1).find(Boolean);
}

function sections(text: string): readonly { section: string; key: string; value: string }[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const head = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (head !== undefined) section = head.replaceAll('"', '').trim();
    const [, key = '', value = ''] = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    return key === '' ? [] : [{ section, key: key.toLowerCase(), value: value.replace(/^"(.*)"$/, '$1') }];
  });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
