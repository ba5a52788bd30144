import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstConfigText, SCHEMA_LINE, setEntry, userName, type Value } from '@sallyport/gateway/config';
import { ownFile } from '@sallyport/gateway/own-files';
import { isMap, isScalar, parse, parseDocument } from 'yaml';

/** A policy that comes with us, and what it means in one line. */
export interface ReadyPolicy {
  readonly name: string;
  readonly means: string;
}

/** The first line of each says what it is for. */
export function readyPolicies(): readonly ReadyPolicy[] {
  const folder = ownFile('policies');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('.test.yaml'))
    .map((file) => {
      const [first = ''] = readFileSync(join(folder, file), 'utf8').split('\n');
      return { name: file.replace(/\.yaml$/, ''), means: first.replace(/^#\s*[^:]*:\s*/, '') };
    });
}

/** The config that is there; undefined where there is none yet. */
export function readConfig(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * What the config is to start from: a ready policy with this person in it, the config that is there, or the first one. Of a
 * config that is there a new policy keeps what it does not speak of itself: channels, servers, credentials, people.
 */
export function baseConfig(before: string | undefined, policy: string, osUser: string): string {
  if (policy === 'keep' && before !== undefined) return withSchemaLine(before);
  if (policy === 'keep' || policy === 'standard') return firstConfigText({ osUser });
  const text = readFileSync(join(ownFile('policies'), `${policy}.yaml`), 'utf8');
  const fresh = withSchemaLine(withPerson(text, userName(osUser)));
  return before === undefined ? fresh : keepRest(parse(before) as Plain, fresh);
}

type Plain = Readonly<Record<string, unknown>>;

function keepRest(old: Plain, fresh: string): string {
  const ours = parse(fresh) as Plain;
  const kept = Object.entries(old).filter(([key]) => !Object.hasOwn(ours, key));
  // `as`: read from a config that is valid: plain data
  const text = kept.reduce((edited, [key, value]) => setEntry(edited, [key], value as Value), fresh);
  const tenant = ((old.tenants as Plain | undefined)?.default ?? {}) as Plain;
  return ['credentials', 'sources'].reduce(
    (edited, key) =>
      tenant[key] === undefined
        ? edited
        : setEntry(edited, ['tenants', 'default', key], tenant[key] as Value),
    text,
  );
}

/** The name of the person that the tenant acts for unless told otherwise. */
export function defaultUser(text: string): string {
  const user: unknown = parseDocument(text).getIn(['tenants', 'default', 'default_user']);
  return typeof user === 'string' ? user : 'owner';
}

export function defaultAgent(text: string): string {
  const agent: unknown = parseDocument(text).getIn(['tenants', 'default', 'default_agent']);
  return typeof agent === 'string' ? agent : 'dev';
}

export function withIdentity(text: string, channel: string, identity: string): string {
  const path = ['tenants', 'default', 'users', defaultUser(text), 'identities', channel];
  return setEntry(text, path, identity);
}

export function withChannel(text: string, channel: string, settings: Value): string {
  return setEntry(text, ['channels', channel], settings, 'how people are asked; see docs/approvals.md');
}

function withSchemaLine(text: string): string {
  return /^# yaml-language-server:/m.test(text) ? text : `${SCHEMA_LINE}\n${text}`;
}

/** The person of a ready policy, under the name of the one who sits here. */
function withPerson(text: string, name: string): string {
  const document = parseDocument(text);
  const before = defaultUser(text);
  const users = document.getIn(['tenants', 'default', 'users']);
  const named = document.getIn(['tenants', 'default', 'default_user'], true);
  const pair = isMap(users)
    ? users.items.find(({ key }) => isScalar(key) && key.value === before)
    : undefined;
  const places = [named, pair?.key]
    .flatMap((node) => (isScalar(node) && node.range ? [node.range] : []))
    .toSorted((one, other) => other[0] - one[0]);
  return places.reduce(
    (edited, [from, to]) => edited.slice(0, from) + JSON.stringify(name) + edited.slice(to),
    text,
  );
}
