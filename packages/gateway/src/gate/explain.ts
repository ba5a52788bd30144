import {
  type Action,
  type ErrorCode,
  factsOfDoor,
  type Judgement,
  type LayerName,
  type Opinion,
  type Position,
  type Strength,
} from '@sallyport/protocol';
import { assertNever } from '../shared/assert-never.ts';
import { factsOf, hostsOf } from '../targets/index.ts';

/** What one layer said, as `sallyport explain --json` prints it. */
export interface ExplainedLayer {
  readonly layer: LayerName;
  readonly says: Opinion['says'];
  readonly strength?: Strength;
  readonly violation?: ErrorCode;
  readonly rule?: string;
  readonly at?: Position;
  readonly reason?: string;
}

/** A judgement in the words of the person who wrote the policy. */
export interface Explanation {
  readonly outcome: Judgement['outcome'];
  readonly strength?: Strength;
  readonly violation?: ErrorCode;
  readonly reason: string;
  readonly layers: readonly ExplainedLayer[];
  /** what to change to get another answer, one sentence each; every one of an ask's is needed */
  readonly change: readonly string[];
}

/** Says which layer decided, by which rule, and what to change to get another answer. */
export function explainJudgement(judgement: Judgement, action: Action): Explanation {
  const layers = judgement.opinions.map(layerOf);
  switch (judgement.outcome) {
    case 'allow': {
      const selector = selectorFor(action);
      const reason =
        judgement.opinions.find((opinion) => opinion.says === 'allow')?.reason ?? 'a rule allows this';
      const change = [
        `to be asked, add \`ask:${selector}\` before the rule; to refuse it, \`deny:${selector}\``,
      ];
      return { outcome: 'allow', reason, layers, change };
    }
    case 'ask': {
      const { strength, reason, opinions } = judgement;
      return { outcome: 'ask', strength, reason, layers, change: changesForAsk(opinions, action) };
    }
    case 'deny': {
      const { violation, reason, opinions } = judgement;
      const decided = opinions.at(-1);
      const change = decided === undefined ? [] : [changeForDeny(decided, action)];
      return { outcome: 'deny', violation, reason, layers, change };
    }
  }
}

function layerOf(opinion: Opinion): ExplainedLayer {
  const { layer, says } = opinion;
  const reason = opinion.reason === undefined ? {} : { reason: opinion.reason };
  if (says === 'nothing') return { layer, says, ...reason };
  return {
    layer,
    says,
    ...(says === 'ask' ? { strength: opinion.strength } : {}),
    ...(says === 'deny' ? { violation: opinion.violation } : {}),
    ...(opinion.rule === undefined ? {} : { rule: opinion.rule }),
    ...(opinion.at === undefined ? {} : { at: opinion.at }),
    ...reason,
  };
}

function changesForAsk(opinions: readonly Opinion[], action: Action): readonly string[] {
  const changes: string[] = [];
  const isAllowed = opinions.some((opinion) => opinion.says === 'allow');
  const isRuleAsk = opinions.some((opinion) => opinion.layer === 'rules' && opinion.says === 'ask');
  if (!isAllowed && !isRuleAsk) changes.push(allowIt(action));
  for (const opinion of opinions) if (opinion.says === 'ask') changes.push(changeForAsk(opinion, action));
  return changes;
}

function changeForAsk(opinion: Extract<Opinion, { says: 'ask' }>, action: Action): string {
  const { layer, strength, rule } = opinion;
  if (strength === 'each-time') return 'a person answers this each time; no rule, exception or grant does';
  switch (layer) {
    case 'boundary':
      return changeForHosts(action);
    case 'rules':
      return `put \`allow:${selectorFor(action)}\` before \`${rule ?? ''}\`, or change that rule`;
    case 'autonomy':
      return `set \`autonomy.overrides\` for \`${action.type}\` to \`auto\`, or raise the preset`;
    case 'level':
      return 'give the agent a level that needs no approval for this';
    case 'mode':
      return factsOfDoor(action.door).selfDeclared
        ? 'a person may give a grant; the policy cannot answer for an API client'
        : `add \`${selectorFor(action)}\` to \`tenants.${action.actor.tenant}.exceptions\`, in mode \`cautious\``;
    case 'identity':
    case 'visibility':
    case 'rate':
      return 'ask a person for a grant';
    default:
      return assertNever(layer);
  }
}

function changeForDeny(opinion: Opinion, action: Action): string {
  const agent = `agents.${action.actor.agent ?? ''}`;
  switch (opinion.layer) {
    case 'identity':
      return 'open a new session, or give the user a role that allows this agent and tool';
    case 'visibility':
      return `add \`${action.tool}\` to \`${agent}.tools\`, or take it off the deny lists`;
    case 'level':
      return `raise \`${agent}.level\`, or change that part of it`;
    case 'rate':
      return 'wait until the window has passed, or raise the limit';
    case 'boundary':
      if (opinion.says === 'deny' && opinion.hint !== undefined) return opinion.hint;
      return 'widen the boundary that the reason names; what was malformed must be sent in another form';
    case 'rules':
      return `change or move \`${'rule' in opinion ? opinion.rule : ''}\`; no other rule outweighs a deny`;
    case 'autonomy':
      return `raise \`${agent}.autonomy\`, or override \`${action.type}\``;
    case 'mode':
      return 'the mode never denies';
  }
}

function allowIt(action: Action): string {
  return `add \`allow:${selectorFor(action)}\` to \`agents.${action.actor.agent ?? ''}.permissions\``;
}

/** A host that nobody named, or one that nobody can tell: the first is named, the second is spelled out. */
function changeForHosts(action: Action): string {
  const { named, unknown } = hostsOf(action);
  const hosts = [...new Set(named.map(({ host }) => host))];
  if (hosts.length === 0 && unknown.length > 0)
    return `spell out in the command where it goes, or add \`${selectorFor(action)}\` to \`tenants.${action.actor.tenant}.exceptions\``;
  const rules = hosts.map((host) => `\`{ host: ${host}, action: allow }\``).join(', ');
  return `name the host${hosts.length > 1 ? 's' : ''}: add ${rules} to \`network.rules\``;
}

/** The narrowest selector that is about this action and reads well. */
export function selectorFor({ tool, target }: Action): string {
  const pattern = factsOf(target).pattern(target, tool);
  return pattern === undefined ? tool : `${tool}(${pattern})`;
}
