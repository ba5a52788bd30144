import { type Action, factsOfDoor, type Opinion } from '@sallyport/protocol';
import {
  type AddressAsk,
  closedByName,
  closedZone,
  isOrdinaryName,
  isThisMachine,
  openingEntry,
} from '../../shared/closed-address.ts';
import { parseHost } from '../../shared/host.ts';
import { hostsOf, type RequestFact, requestOf } from '../../targets/index.ts';
import type { Snapshot } from '../policy/snapshot.ts';
import { stricterOf } from '../rules/strictness.ts';
import { ask, deny, silent } from './layer.ts';
import { askNetwork } from './network.ts';

const SILENT = silent('boundary');

/** Every host that an action names, and whether it may go to others: the strictest answer counts. */
export function judgeHosts(action: Action, snapshot: Snapshot): Opinion {
  const { target } = action;
  // Requests come most often, and have one host: no list is made for it.
  const only = target.named === undefined ? requestOf(target) : undefined;
  if (only !== undefined) return judgeHost(only.host, only.port, only, action, snapshot);
  const { named, unknown } = hostsOf(action);
  let result = SILENT;
  for (const { host, port, request, ofProgram } of named) {
    const opinion = judgeHost(host, port, request, action, snapshot);
    // SECURITY: only that it is new goes without saying: what rules deny or ask, and what is closed, stands.
    if (ofProgram === true && opinion.says === 'ask' && opinion.newHost !== undefined) continue;
    result = stricterOf(result, opinion);
    if (result.says === 'deny') return result;
  }
  if (unknown.length === 0) return result;
  // A write is asked about for being one, unless a person named it as an exception: layer 8 knows.
  if (!unknown.some((fact) => (fact ?? action).effect === 'read')) return result;
  return stricterOf(result, ask('boundary', 'human', 'which hosts it talks to cannot be told'));
}

function judgeHost(
  host: string,
  port: number | undefined,
  request: RequestFact | undefined,
  action: Action,
  snapshot: Snapshot,
): Opinion {
  // What a request names is canonical; what stands in a command is as it was read.
  const name = request === undefined ? parseHost(host)?.text : host;
  if (name === undefined) return deny('boundary', 'DomainNotAllowed', `\`${host}\` is not a host`);
  const { action: says, named, quote } = askNetwork(snapshot.policy.network, name, request);
  if (says === 'deny')
    return deny(
      'boundary',
      'DomainNotAllowed',
      named ? `a network rule denies \`${name}\`` : `no network rule names \`${name}\``,
      quote,
    );
  const closed = isOrdinaryName(name) ? undefined : judgeAddress({ host: name, port }, action, snapshot);
  if (closed !== undefined) return closed;
  if (says === 'allow') return SILENT;
  if (named) return ask('boundary', 'human', `a network rule wants a question for \`${name}\``, quote);
  // What runs on this machine is no host of the network: who asks for it runs here as well.
  if (factsOfDoor(action.door).callerRunsHere && isThisMachine(name, snapshot.machine)) return SILENT;
  if (isLentThere(snapshot, request, name)) return SILENT;
  return { ...ask('boundary', 'human', `no network rule names \`${name}\``, quote), newHost: name };
}

/** A tunnel carries no credential of ours, whatever its host has one for. */
function isLentThere({ policy }: Snapshot, request: RequestFact | undefined, host: string): boolean {
  if (request?.credential === undefined || request.scheme === 'tunnel') return false;
  return policy.network.lends(request.credential, host);
}

/**
 * SECURITY: [NE-12] a closed address is refused before anyone is asked: no answer would open it. Only what the text
 * itself tells is looked at here; nothing is looked up before the verdict [NE-1].
 */
function judgeAddress(
  to: AddressAsk,
  { door, target }: Action,
  { policy, machine }: Snapshot,
): Opinion | undefined {
  const { callerRunsHere } = factsOfDoor(door);
  const { ownPorts, machine: addresses } = machine;
  const known = { ownPorts, machine: addresses, open: policy.network.open };
  let because = closedByName(to, known);
  if (because === undefined) {
    // Where we do not dial ourselves, a name of the own network may be what the person uses every day.
    because = callerRunsHere ? undefined : closedZone(to, known);
    if (because === undefined) return undefined;
  }
  const isOpenHere =
    because !== 'own-listener' &&
    // A client with hooks runs its tools on this machine, or in a jail with a loopback of its own.
    ((callerRunsHere && isThisMachine(to.host, machine)) || isForward(target));
  if (isOpenHere) return undefined;
  const place = placeOf(to);
  if (because === 'own-listener')
    return deny(
      'boundary',
      'AddressClosed',
      `\`${place}\` leads to the gateway itself, which is never a target`,
      undefined,
      'talk to the gateway directly, as its own client does',
    );
  const entry = openingEntry(to, because);
  return deny(
    'boundary',
    'AddressClosed',
    `\`${place}\` leads to an address that is closed (${because})`,
    undefined,
    entry === undefined
      ? 'no setting opens it'
      : `only the operator can open it: add \`${entry}\` to \`network.allow_private\``,
  );
}

/** A port that a person opened for this run. */
function isForward(target: Action['target']): boolean {
  return requestOf(target)?.forward === true;
}

function placeOf({ host, port }: AddressAsk): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}
