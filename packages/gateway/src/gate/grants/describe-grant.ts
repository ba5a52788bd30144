import type { Risk } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import type { Operation } from '../../targets/index.ts';
import { describeEarlier, isEarlierCover } from './earlier-grants.ts';
import type { Grant, GrantCover, OpenedHost, ReadScope } from './grant.ts';

/** In words what a grant covers and until when: the approver reads this before saying yes. */
export function describeGrant(grant: Described): string {
  const who = grant.agent ?? (grant.client === undefined ? 'nobody' : `client ${grant.client}`);
  const no = grant.answer === 'no' ? 'refused without a question: ' : '';
  const { usesAtMost: most } = grant;
  const times = most === undefined ? '' : `, ${most === 1 ? 'once' : `${most} times`} at most`;
  return `${no}${describeCover(grant.covers, grant.scope === 'once', `\`${who}\``)}${lasting(grant)}${times}`;
}

type Described = Pick<Grant, 'covers' | 'scope'> &
  Partial<Pick<Grant, 'agent' | 'client' | 'answer' | 'expiresAt' | 'usesAtMost'>>;

function describeCover(cover: GrantCover, once: boolean, who: string): string {
  if (isEarlierCover(cover)) return describeEarlier(cover, who);
  switch (cover.kind) {
    case 'fingerprint':
      return `${once ? 'exactly this' : 'exactly this again'}, by ${who}${andReads(cover.opens)}`;
    case 'operation':
      return `${describeOperations(cover.operations)}, by ${who}${withLimits(cover)}${andReads(cover.opens)}`;
    case 'reads':
      return `every read of ${describeReads(cover.of)}, by ${who}${withLimits(cover)}`;
    case 'owner':
      return `\`${cover.operation}\` on everything of ${cover.owner}, by ${who}${withLimits(cover)}`;
    case 'request':
      return `the one request that was allowed with what makes it, by ${who}`;
    case 'declared':
      return `${once ? 'one' : 'every'} action that ${who} declares as \`${cover.type}\``;
    default:
      return assertNever(cover);
  }
}

/** What is done, and to what, one after the other. */
export function describeOperations(operations: readonly Operation[]): string {
  const said = operations.map(describeOperation);
  // What several commands do in one folder is said with the folder once.
  const folder = /^.*( in \/\S*)$/s.exec(said[0] ?? '')?.[1] ?? '';
  return said.length > 1 && folder !== '' && said.every((text) => text.endsWith(folder))
    ? `${said.map((text) => text.slice(0, -folder.length)).join(', then ')}, all${folder}`
    : said.join(', then ');
}

function describeOperation({ operation, object: named, at, unlisted }: Operation): string {
  const object = at?.endsWith(':443') === true && named.startsWith(at) ? named.replace(':443', '') : named;
  const doubt = unlisted === true ? ' (nobody knows what it does)' : '';
  if (operation === 'read') return `reads of ${object}`;
  if (object === '') return `\`${operation}\`${doubt}`;
  // Where the object of a command is all of its words, they say it all.
  const [program] = operation.split(' ');
  const folder = object.lastIndexOf(' in /');
  if (folder !== -1 && object.startsWith(`${program} `))
    return `\`${object.slice(0, folder)}\`${object.slice(folder)}${doubt}`;
  return `\`${operation}\` on ${object}${doubt}`;
}

function describeReads(scope: ReadScope): string {
  return scope.kind === 'object' ? scope.object : placeOf(scope);
}

function andReads(opened: OpenedHost | undefined): string {
  return opened === undefined ? '' : `; and reads of ${placeOf(opened)} do not ask for its being new`;
}

function placeOf({ host, port }: { readonly host: string; readonly port: number }): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === 443 || port === 80 ? name : `${name}:${port}`;
}

function withLimits({
  credential,
  risk,
}: {
  readonly credential: string | null;
  readonly risk: Risk;
}): string {
  const lent = credential === null ? '' : `, with the credential \`${credential}\``;
  return `${lent}${risk === 'critical' ? '' : `, at risk ${risk}${risk === 'low' ? '' : ' or lower'}`}`;
}

function lasting({ scope, expiresAt }: Pick<Grant, 'scope' | 'expiresAt'>): string {
  const until =
    expiresAt === undefined
      ? ''
      : `, until ${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  switch (scope) {
    case 'once':
      return until;
    case 'session':
      return `, in this session${until}`;
    case 'minutes':
      return until;
    case 'always':
      return ', until someone revokes it';
    default:
      return assertNever(scope);
  }
}
