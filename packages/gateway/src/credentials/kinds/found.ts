import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Secret } from '../../shared/secret.ts';
import type { FoundCredential, PersonContext } from './kind.ts';

const LARGEST = 1024 * 1024;

/** Text of a file; undefined when there is none that can be read. */
export function textOf(path: string): string | undefined {
  try {
    return statSync(path).size > LARGEST ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** `gh`: one login for each host. */
export function findGithub({ env, userHome }: PersonContext): readonly FoundCredential[] {
  const folder = env.GH_CONFIG_DIR ?? join(env.XDG_CONFIG_HOME ?? join(userHome, '.config'), 'gh');
  const file = join(folder, 'hosts.yml');
  const hosts = yaml(textOf(file));
  const logins = Object.entries(hosts).flatMap(([host, login]): FoundCredential[] => {
    const token = property(login, 'oauth_token');
    if (typeof token !== 'string' || token === '') return [];
    const isUsual = host === 'github.com';
    return [
      {
        name: isUsual ? 'github:personal' : `github:${plainName(host)}`,
        where: `gh (${file}), ${host}`,
        entry: { kind: 'github_pat', ...(isUsual ? {} : { hosts: [host] }) },
        material: new Secret(token),
      },
    ];
  });
  return logins.length > 0
    ? logins
    : fromVariable(env, ['GH_TOKEN', 'GITHUB_TOKEN'], 'github:personal', { kind: 'github_pat' });
}

/** Keys of the AWS CLI: one for each profile. */
export function findAws({ env, userHome }: PersonContext): readonly FoundCredential[] {
  const file = env.AWS_SHARED_CREDENTIALS_FILE ?? join(userHome, '.aws/credentials');
  const found: FoundCredential[] = [];
  for (const section of (textOf(file) ?? '').split(/^(?=\s*\[)/m)) {
    const profile = /^\s*\[\s*(?:profile\s+)?([^\]\s]+)\s*\]/.exec(section)?.[1];
    const value = (key: string): string | undefined =>
      new RegExp(`^\\s*${key}\\s*=\\s*(\\S+)\\s*$`, 'm').exec(section)?.[1];
    const [id, secret, token] = ['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token'].map(
      value,
    );
    // Keys that expire within hours are not worth keeping.
    if (profile === undefined || id === undefined || secret === undefined || token !== undefined) continue;
    found.push({
      name: `aws:${plainName(profile)}`,
      where: `the AWS CLI (${file}), profile ${profile}`,
      entry: { kind: 'aws_static', risk: 'high' },
      material: new Secret(`${id}:${secret}`),
    });
  }
  return found;
}

/** Keys of model APIs and registries, in variables and in npm's own file. */
export function findTokens({ env, userHome }: PersonContext): readonly FoundCredential[] {
  const npmrc = env.NPM_CONFIG_USERCONFIG ?? join(userHome, '.npmrc');
  const npm = [
    ...(textOf(npmrc) ?? '').matchAll(/^\s*\/\/([^/:\s]+)[^\s=]*:_authToken\s*=\s*([^\s${}]+)\s*$/gm),
  ];
  return [
    ...npm.map(([, host = '', token = '']) => ({
      name: `npm:${plainName(host)}`,
      where: `npm (${npmrc}), ${host}`,
      entry: { kind: 'bearer', hosts: [host] },
      material: new Secret(token),
    })),
    ...fromVariable(env, ['OPENAI_API_KEY'], 'openai', { kind: 'bearer', hosts: ['api.openai.com'] }),
    ...fromVariable(env, ['ANTHROPIC_API_KEY'], 'anthropic', {
      ...{ kind: 'header', name: 'x-api-key' },
      hosts: ['api.anthropic.com'],
    }),
  ];
}

function fromVariable(
  env: PersonContext['env'],
  names: readonly string[],
  name: string,
  entry: FoundCredential['entry'],
): readonly FoundCredential[] {
  const variable = names.find((candidate) => /^\S+$/.test(env[candidate] ?? ''));
  if (variable === undefined) return [];
  return [{ name, where: `the variable ${variable}`, entry, material: new Secret(env[variable] ?? '') }];
}

/** What a name in the config may be made of. */
function plainName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-')
    .slice(0, 40);
}

function yaml(text: string | undefined): object {
  try {
    const value: unknown = text === undefined ? undefined : parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
