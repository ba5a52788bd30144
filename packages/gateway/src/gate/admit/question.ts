import {
  type Action,
  CONNECT,
  factsOfDoor,
  type JsonObject,
  type Judgement,
  type Opinion,
} from '@sallyport/protocol';
import type { AskReason, QuestionDraft } from '../../approvals/index.ts';
import { visibleLine, visibleText } from '../../shared/visible-text.ts';
import { factsOf, lineOf, operationsOf } from '../../targets/index.ts';
import { accessOffer, isAccess } from '../grants/access.ts';
import { describeGrant, describeOperations } from '../grants/describe-grant.ts';
import type { Grant, GrantCover } from '../grants/grant.ts';
import { offerGrant, widerOffers } from '../grants/offer-grant.ts';
import type { CompiledPolicy } from '../policy/compiled-policy.ts';

const TITLE_AT_MOST = 200;

type Asked = Judgement & { readonly outcome: 'ask' };

/** What people are asked about an action: what, who, why, and what each standing answer would cover. */
export function questionOf(action: Action, judgement: Asked, policy: CompiledPolicy): QuestionDraft {
  const { actor, target } = action;
  const reason = reasonOf(judgement);
  const mayStand = judgement.strength !== 'each-time';
  const offer = mayStand && !isAccess(action) ? offerGrant(action, judgement) : undefined;
  const does = doesOf(action);
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
    ...(does === undefined ? {} : { does }),
    reason,
    covers: offer === undefined ? {} : coversOf(action, offer, policy),
    // A cover is plain JSON data; interfaces have no index signature.
    ...(offer === undefined ? {} : { offer: offer as unknown as JsonObject }),
    // A whole task has no standing answer of its own: a yes leaves one for each of its lines.
    ...(isAccess(action)
      ? { offer: accessOffer(action), isFixed: true }
      : mayStand
        ? { wider: widerOf(action) }
        : {}),
    // No client of the approval API chooses the tool: the words of this one are ours.
    selfDeclared: factsOfDoor(action.door).selfDeclared && action.tool !== CONNECT.tool,
    ...(target.credential === undefined ? {} : { credential: target.credential }),
    policyRevision: policy.revision,
    blocked: true,
  };
}

/** Every type in it: one command of a line may need a quorum that the line as a whole does not show. */
export function typesOf({ type, target }: Pick<Action, 'type' | 'target'>): readonly Action['type'][] {
  const line = lineOf(target);
  if (line === undefined) return [type];
  return [...new Set([type, ...line.commands.map((command) => command.type)])];
}

/** Operation and object in words; undefined where only the whole can be named. */
export function doesOf(action: Action): string | undefined {
  const operations = factsOfDoor(action.door).selfDeclared ? [] : operationsOf(action);
  if (operations.length > 0) return visibleLine(describeOperations(operations));
  const doubt = doubtOf(action);
  return doubt === undefined ? undefined : visibleLine(`nobody can say what it does: ${doubt}`);
}

/** Why a line cannot be read, or the first of its commands. */
function doubtOf({ target }: Action): string | undefined {
  const line = lineOf(target);
  return line?.unknown ?? line?.commands.find(({ unknown }) => unknown !== undefined)?.unknown;
}

function coversOf(action: Action, covers: GrantCover, { grants }: CompiledPolicy): QuestionDraft['covers'] {
  const { session } = action.actor;
  const say = (scope: Grant['scope']): string => inWords(action, covers, scope);
  const hasSession = session !== undefined || factsOfDoor(action.door).speaker === 'client';
  return {
    ...(hasSession ? { session: say('session') } : {}),
    minutes: say('minutes'),
    ...(grants.allowAlways ? { always: say('always') } : {}),
    ...whatOf(covers),
  };
}

function whatOf(cover: GrantCover): Pick<QuestionDraft['covers'], 'what'> {
  if (cover.kind === 'operation') return { what: visibleLine(describeOperations(cover.operations)) };
  return cover.kind === 'fingerprint' ? { what: 'exactly this' } : {};
}

function widerOf(action: Action): NonNullable<QuestionDraft['wider']> {
  const offers = Object.entries(widerOffers(action)).map(([scope, cover]) => [
    scope,
    // A cover is plain JSON data.
    { words: inWords(action, cover, 'minutes'), offer: cover as unknown as JsonObject },
  ]);
  return Object.fromEntries(offers);
}

function inWords({ actor: { agent, client } }: Action, covers: GrantCover, scope: Grant['scope']): string {
  const holder = {
    ...(agent === undefined ? {} : { agent }),
    ...(client === undefined ? {} : { client }),
  };
  return visibleText(describeGrant({ ...holder, covers, scope }));
}

/** The strongest first, then what the others ask: one question says it all. */
function reasonOf({ opinions, strength, reason }: Asked): QuestionDraft['reason'] {
  const asks = opinions.filter((opinion) => opinion.says === 'ask');
  const first = asks.find((opinion) => opinion.strength === strength && opinion.reason === reason);
  if (first === undefined) return { layer: 'rules', reason };
  const also = asks.filter((opinion) => opinion !== first).map(quote);
  return { ...quote(first), ...(also.length === 0 ? {} : { also }) };
}

function quote({ layer, reason, rule, at }: Extract<Opinion, { says: 'ask' }>): AskReason {
  return { layer, reason, ...(rule === undefined ? {} : { rule }), ...(at === undefined ? {} : { at }) };
}

/** One line; the preview is the whole. */
export function titleOf(action: Action): string {
  const what =
    action.tool === CONNECT.tool
      ? connection(action.input)
      : isAccess(action)
        ? task(action.input)
        : summaryOf(action.target);
  // `mcp:tracker/close` says its server and tool already.
  const title = visibleLine(action.tool.endsWith(what) ? action.tool : `${action.tool}: ${what}`);
  return title.length <= TITLE_AT_MOST ? title : `${title.slice(0, TITLE_AT_MOST - 1)}…`;
}

/** Which program asks, its code tells; its name is its own word, and stands in the preview alone. */
function connection({ code, agent }: JsonObject): string {
  return `a program with the code ${String(code)} as the agent ${String(agent)}`;
}

function task({ grants }: JsonObject): string {
  const count = Array.isArray(grants) ? grants.length : 0;
  return count === 1
    ? 'one standing answer, for this session'
    : `${count} standing answers, for this session`;
}

function summaryOf(target: Action['target']): string {
  return factsOf(target).summary(target) || 'a call';
}
