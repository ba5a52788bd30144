import { IdListSchema, SallyportError } from '@sallyport/protocol';
import type { OperatorClient } from './operator-client.ts';

/** What has an id that people type, and the command that lists it. */
const KINDS = {
  appr: { name: 'question', list: 'sallyport pending' },
  sess: { name: 'session', list: 'sallyport sessions list' },
  grant: { name: 'grant', list: 'sallyport grants list' },
  key: { name: 'key', list: 'sallyport keys list' },
  evt: { name: 'event', list: 'sallyport audit tail --hashes' },
} as const;
export type IdKind = keyof typeof KINDS;

const WHOLE = /^[a-z]+_[0-9a-z]{26}$/;

/**
 * The whole id for one that was shortened, with or without its kind, and with the `…` of a table.
 *
 * Throws `NotFound` when nothing begins so, and `Conflict` when it is not the only one.
 */
export async function wholeId(operator: OperatorClient, kind: IdKind, typed: string): Promise<string> {
  const text = typed.replace(/(?:…|\.\.\.)$/, '');
  const id = text.includes('_') ? text : `${kind}_${text}`;
  if (WHOLE.test(id) || !/^[a-z]+_[0-9a-z]*$/.test(id)) return id;
  if (!id.startsWith(`${kind}_`)) throw otherKind(kind, id);
  const found = await idsFrom(operator, id);
  if (found === undefined) return id;
  return onlyOne(kind, id, found);
}

/** The one id that begins so. */
export function onlyOne(kind: IdKind, beginning: string, found: readonly string[]): string {
  const { name, list } = KINDS[kind];
  const [only, other] = found;
  if (only === undefined) {
    throw new SallyportError('NotFound', {
      message: `there is no ${name} whose id begins with \`${beginning}\``,
      hint: `\`${list}\``,
    });
  }
  if (other === undefined) return only;
  const shown = found.slice(0, 5);
  const more = found.length > shown.length ? ', …' : '';
  throw new SallyportError('Conflict', {
    message: `several ids begin with \`${beginning}\``,
    hint: `write more of it: ${shown.map((one) => `\`${one}\``).join(', ')}${more}`,
  });
}

/** Undefined: a gateway of an earlier version, which knows whole ids only. */
async function idsFrom(operator: OperatorClient, id: string): Promise<readonly string[] | undefined> {
  try {
    const path = `/v1/ids?prefix=${encodeURIComponent(id)}`;
    return (await operator.call({ method: 'GET', path }, (value) => IdListSchema.parse(value))).items;
  } catch (error) {
    if (error instanceof SallyportError && error.code === 'NotFound') return undefined;
    throw error;
  }
}

function otherKind(wanted: IdKind, id: string): SallyportError {
  const given = KINDS[id.slice(0, id.indexOf('_')) as IdKind] as (typeof KINDS)[IdKind] | undefined; // may be no kind
  const { name, list } = KINDS[wanted];
  return new SallyportError('NotFound', {
    message: `\`${id}\` is ${given === undefined ? 'no id' : `the id of a ${given.name}`}, and a ${name} is meant`,
    hint: `\`${list}\``,
  });
}
