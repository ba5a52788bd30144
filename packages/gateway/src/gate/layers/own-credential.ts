import { type Action, factsOfDoor, type Opinion, type OwnCredential } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import { LOOPBACK } from '../../shared/host.ts';
import { ownCredentialsOf } from '../../targets/index.ts';
import type { NetworkPolicy } from '../policy/compiled-policy.ts';
import { namedActions } from './facts.ts';
import { deny } from './layer.ts';

/**
 * A credential of the agent's own goes nowhere: neither data nor actions leave under a key that no person lent [CR-9].
 * The hosts of `pass_auth` get it.
 */
export function refuseOwnCredential(network: NetworkPolicy, action: Action): Opinion | undefined {
  const found = judgeAction(network, action);
  if (found !== undefined || action.target.named === undefined) return found;
  for (const named of namedActions(action)) {
    const refusal = judgeAction(network, named);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function judgeAction(network: NetworkPolicy, action: Action): Opinion | undefined {
  const { target } = action;
  const sent = ownCredentialsOf(target);
  // Hardly an action sends any, and going through a list of none takes its time too.
  if (sent.length === 0) return undefined;
  for (const own of sent) {
    const refusal = judgeOne(network, action, own, own.host);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function judgeOne(
  network: NetworkPolicy,
  { door, actor }: Action,
  own: OwnCredential,
  host: string,
): Opinion | undefined {
  // Every request of a jailed command comes to the proxy, which takes these out.
  const isRequest = factsOfDoor(door).carriesRequests;
  const comesToProxy = !isRequest && actor.confinement === 'jailed';
  if (comesToProxy && (own.where === 'header' || own.where === 'cookie' || own.where === 'userinfo'))
    return undefined;
  // A command on this machine, to this machine: nothing leaves.
  if (!isRequest && LOOPBACK.test(host)) return undefined;
  if (network.passesAuth(host)) return undefined;
  const reason = `${placeOf(own)} carries a credential of the agent's own`;
  return deny('boundary', 'OwnCredential', reason, undefined, howToLend(host));
}

function howToLend(host: string): string {
  const route =
    host === '' ? 'a route for the host' : `\`{ host: ${host}, credential: NAME }\` under \`routes\``;
  return `leave the secret out; the operator lends one with \`sallyport credentials add\` and ${route}, or names the host under \`network.pass_auth\``;
}

function placeOf({ where, name }: OwnCredential): string {
  switch (where) {
    case 'header':
      return `the header \`${name}\``;
    case 'cookie':
      return `the cookie \`${name}\``;
    case 'userinfo':
      return 'the address';
    case 'path':
      return name === '' ? 'the path' : `the path (${name})`;
    case 'query':
      return name === '' ? 'the query' : `the parameter \`${name}\` of the query`;
    case 'form':
      return `the field \`${name}\` of the form`;
    default:
      return assertNever(where);
  }
}
