import { factsOfDoor } from '@sallyport/protocol';
import { deny, type Layer, silent } from './layer.ts';

const SILENT = silent('identity');

/** Layer 1: session alive, and the user's roles ∩ every agent in the chain. */
export const identityLayer: Layer = (action, { identity, now, policy }, { acting }) => {
  const { actor, door } = action;
  if (actor.tenant !== policy.tenant)
    return deny('identity', 'NotPermitted', 'the action belongs to another tenant than the policy');
  switch (identity.kind) {
    case 'none':
      return deny('identity', 'NotAuthenticated', 'nobody is known to have sent this');
    case 'client':
      if (!identity.active) return deny('identity', 'NotAuthenticated', 'the API key is not valid any more');
      if (factsOfDoor(door).speaker !== 'client' || actor.client === undefined)
        return deny('identity', 'NotPermitted', 'an API key opens the approval API only');
      return SILENT;
    case 'session':
      break;
  }
  if (!identity.alive) return deny('identity', 'NotAuthenticated', 'the session has ended');
  // Written this way round, an `expiresAt` that is no number is an expired one.
  if (!(now < identity.expiresAt)) return deny('identity', 'NotAuthenticated', 'the session has expired');
  if (acting === undefined)
    return deny('identity', 'NotPermitted', `no agent \`${actor.agent ?? ''}\` is configured`);
  for (const name of actor.chain) {
    if (name !== acting.name && !policy.agents.has(name))
      return deny('identity', 'NotPermitted', `no agent \`${name}\` is configured, and it is in the chain`);
  }
  if (!identity.rights.permitted) return deny('identity', 'NotPermitted', identity.rights.reason);
  return SILENT;
};
