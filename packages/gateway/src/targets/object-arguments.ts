import type { JsonObject } from '@sallyport/protocol';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Names of arguments by which tools say where a call leads, without case, dashes and underscores, and without `Id`. */
const PLACES = words(`
  owner repo repository org organization project projectkey workspace team account tenant bucket database db schema
  namespace cluster context environment env stage region domain site host server calendar board space spacekey vault
  index topic queue stream table collection branch ref base drive folder profile subscription resourcegroup
  to cc bcc recipient recipients email emails user username users member members phone address chat room group
`);
const ADDRESSES = words('url uri endpoint baseurl webhook webhookurl callbackurl href link');
const CHANNELS = words('channel channels channelname');
/** A channel of the workspace, by name or number; anything else may be a person. */
const CHANNEL = /^(?:#[\w-]{1,80}|C[A-Z0-9]{5,20})$/;
const LONGEST = 200;

/**
 * What the arguments of a tool that nobody describes say about where its call leads: `owner=acme repo=app`. Undefined
 * where that cannot be said in a few words: then only the whole call can be named.
 *
 * SECURITY: by names that are widely used. A yes to a message in a channel is none to a person, a yes to one repository,
 * host or environment none to another [GA-11].
 */
export function objectInArguments(input: JsonObject, except: ReadonlySet<string>): string | undefined {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (except.has(name)) continue;
    const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
    const bare = plain.replace(/(?<=.)ids?$/, '');
    if (CHANNELS.has(bare))
      parts.push(`${name}=${CHANNEL.test(String(value)) ? 'any channel' : text(value)}`);
    else if (ADDRESSES.has(plain)) parts.push(`${name}=${hostIn(value)}`);
    else if (PLACES.has(plain) || PLACES.has(bare)) parts.push(`${name}=${text(value)}`);
  }
  const all = parts.sort().join(' ');
  return all.length > LONGEST ? undefined : all;
}

function text(value: unknown): string {
  return typeof value === 'string' && /^[\w@#./:-]+$/.test(value) ? value : (JSON.stringify(value) ?? '');
}

function hostIn(value: unknown): string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url === null || url.host === '' ? text(value) : `${url.protocol}//${url.host}`;
}
