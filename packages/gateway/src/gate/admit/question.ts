import {
  type Action,
  CONNECT,
  factsOfDoor,
  type JsonObject,
  type Judgement,
  type Target,
} from '@sallyport/protocol';
import type { QuestionDraft } from '../../approvals/index.ts';
import { visibleLine, visibleText } from '../../shared/visible-text.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';
import { describeGrant } from '../grants/describe-grant.ts';
import type { Grant, GrantCover } from '../grants/grant.ts';
import { offerGrant } from '../grants/offer-grant.ts';

const TITLE_AT_MOST = 200;

type Asked = Judgement & { readonly outcome: 'ask' };

/** What people are asked about an action: what, who, why, and what each standing answer would cover. */
export function questionOf(action: Action, judgement: Asked, policy: CompiledPolicy): QuestionDraft {
  const { actor, target } = action;
  const reason = reasonOf(judgement);
  const mayStand = judgement.strength !== 'each-time';
  const offer = mayStand ? offerFor(action, reason.layer) : undefined;
  return {
    tenant: actor.tenant,
    actionId: action.id,
    binding: action.binding,
    fingerprint: action.fingerprint,
    actor,
    door: action.door,
    tool: action.tool,
    type: action.type,
    types: typesOf(action),
    effect: action.effect,
    risk: action.risk,
    strength: judgement.strength,
    title: titleOf(action),
    preview: action.preview,
    reason,
    covers: offer === undefined ? {} : coversOf(action, offer, policy),
    // A cover is plain JSON data; interfaces have no index signature.
    ...(offer === undefined ? {} : { offer: offer as unknown as JsonObject }),
    // No client of the approval API chooses the tool: the words of this one are ours.
    selfDeclared: factsOfDoor(action.door).selfDeclared && action.tool !== CONNECT.tool,
    ...(target.credential === undefined ? {} : { credential: target.credential }),
    policyRevision: policy.revision,
    blocked: true,
  };
}

/** Every type in it: one command of a line may need a quorum that the line as a whole does not show. */
export function typesOf({ type, target }: Pick<Action, 'type' | 'target'>): readonly Action['type'][] {
  if (target.kind !== 'command') return [type];
  return [...new Set([type, ...target.commands.map((command) => command.type)])];
}

function offerFor(action: Action, layer: string): GrantCover {
  const offer = offerGrant(action);
  // The first contact with a host: a standing answer opens it for reading, whatever was asked.
  if (layer === 'boundary' && action.target.kind === 'http' && offer.kind === 'scope')
    return { ...offer, effect: 'read' };
  return offer;
}

function coversOf(action: Action, covers: GrantCover, { grants }: CompiledPolicy): QuestionDraft['covers'] {
  const { tenant, agent, client, session } = action.actor;
  const holder = {
    tenant,
    ...(agent === undefined ? {} : { agent }),
    ...(client === undefined ? {} : { client }),
    covers,
  };
  const say = (scope: Grant['scope']): string => visibleText(describeGrant({ ...holder, scope }));
  return {
    ...(session === undefined && factsOfDoor(action.door).speaker !== 'client'
      ? {}
      : { session: say('session') }),
    minutes: say('minutes'),
    ...(grants.allowAlways ? { always: say('always') } : {}),
  };
}

function reasonOf({ opinions, strength, reason }: Asked): QuestionDraft['reason'] {
  const opinion = opinions.find(
    (candidate) => candidate.says === 'ask' && candidate.strength === strength && candidate.reason === reason,
  );
  if (opinion?.says !== 'ask') return { layer: 'rules', reason };
  return {
    layer: opinion.layer,
    reason,
    ...(opinion.rule === undefined ? {} : { rule: opinion.rule }),
    ...(opinion.at === undefined ? {} : { at: opinion.at }),
  };
}

/** One line; the preview is the whole. */
export function titleOf(action: Action): string {
  const what = action.tool === CONNECT.tool ? connection(action.input) : summary(action.target);
  const title = visibleLine(`${action.tool}: ${what}`);
  return title.length <= TITLE_AT_MOST ? title : `${title.slice(0, TITLE_AT_MOST - 1)}…`;
}

/** Which program asks, its code tells; its name is its own word, and stands in the preview alone. */
function connection({ code, agent }: JsonObject): string {
  return `a program with the code ${String(code)} as the agent ${String(agent)}`;
}

function summary(target: Target): string {
  switch (target.kind) {
    case 'command':
      return target.commands.map(({ text }) => text).join(' ; ');
    case 'http':
      return `${target.method} ${target.host}${target.path}`;
    case 'path':
      return target.paths.map(({ real }) => real).join(', ');
    case 'mcp':
      return `${target.server}/${target.tool}`;
    case 'address':
      return target.addresses.join(', ');
    case 'plain':
      return 'a call';
  }
}
