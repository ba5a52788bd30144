import { type Action, factsOfDoor, type Judgement, type WiderScope } from '@sallyport/protocol';
import { parseHost } from '../../shared/host.ts';
import { type LineFact, lineOf, operationsOf, requestOf } from '../../targets/index.ts';
import { type GrantCover, type OpenedHost, ownerOf } from './grant.ts';

/** The standing answer that a question offers by its numbers: this operation on this object, and nothing wider. */
export function offerGrant(action: Action, { opinions }: Pick<Judgement, 'opinions'>): GrantCover {
  if (factsOfDoor(action.door).selfDeclared) return { kind: 'declared', type: action.type };
  const operations = operationsOf(action);
  const opens = openedBy(action, opinions);
  // All reads of the host are what a plain read is about: there is nothing to add.
  const isRead = operations.length === 1 && operations[0]?.operation === 'read';
  const also = opens === undefined || isRead ? {} : { opens };
  if (operations.length === 0 || isListedCritical(action))
    return { kind: 'fingerprint', fingerprint: action.fingerprint, ...also };
  const { risk, target } = action;
  return { kind: 'operation', operations, credential: target.credential ?? null, risk, ...also };
}

/**
 * SECURITY: what a table knows to be of the highest risk (keys, members, deletion of a project, production) is covered by
 * nothing wider than the action itself. What is so only because nobody knows it is told by its name, as unknown [GA-11].
 */
export function isListedCritical(action: Action): boolean {
  return action.risk === 'critical' && !operationsOf(action).every(({ unlisted }) => unlisted === true);
}

function openedBy({ target }: Action, opinions: Judgement['opinions']): OpenedHost | undefined {
  const isNew = opinions.some((opinion) => opinion.says === 'ask' && opinion.newHost !== undefined);
  if (!isNew || target.named !== undefined) return undefined;
  const request = requestOf(target);
  if (request === undefined) return openedByCommand(lineOf(target));
  return { host: request.host, port: request.port, credential: request.credential ?? null };
}

/**
 * A command that names one host, and nothing that nobody knows: whoever lets it read there has let the host be read. Its
 * requests, and others like them, come by the proxy, where what reads carry out is counted.
 */
function openedByCommand(line: LineFact | undefined): OpenedHost | undefined {
  const [only, ...more] = line?.commands ?? [];
  if (only === undefined || more.length > 0 || line?.unknown !== undefined || only.unknown !== undefined)
    return undefined;
  const [named, ...others] = only.hosts ?? [];
  const host = named === undefined ? undefined : parseHost(named.host)?.text;
  if (host === undefined || named?.port === undefined || others.length > 0 || only.unknownHosts === true)
    return undefined;
  return { host, port: named.port, credential: null };
}

/**
 * Wider answers that make sense for this question: given on purpose and by their name, never by a number.
 *
 * SECURITY: none for what a table knows to be of the highest risk [GA-11].
 */
export function widerOffers(action: Action): Readonly<Partial<Record<WiderScope, GrantCover>>> {
  const { risk, target, effect } = action;
  const [only, ...more] = operationsOf(action);
  if (only === undefined || more.length > 0 || isListedCritical(action)) return {};
  if (factsOfDoor(action.door).selfDeclared) return {};
  const limits = { credential: target.credential ?? null, risk };
  const request = requestOf(target);
  const owner = ownerOf(only);
  const { object, at, operation } = only;
  const reads = (of: Extract<GrantCover, { kind: 'reads' }>['of']): GrantCover => ({
    kind: 'reads',
    of,
    ...limits,
  });
  return {
    ...(effect === 'read' && object !== ''
      ? { 'reads-of-object': reads({ kind: 'object', object, ...(at === undefined ? {} : { at }) }) }
      : {}),
    ...(effect === 'read' && request !== undefined
      ? { 'reads-of-host': reads({ kind: 'host', host: request.host, port: request.port }) }
      : {}),
    ...(owner === undefined || at === undefined
      ? {}
      : { 'operation-of-owner': { kind: 'owner', operation, at, owner, ...limits } }),
  };
}
