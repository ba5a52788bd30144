import type { Action, Judgement } from '@sallyport/protocol';
import { type Explanation, type PolicySet, validationsFor } from '../gate/index.ts';
import { lineOf } from '../targets/index.ts';

/**
 * Says of a command that cannot be read why it cannot, and takes back advice that would not help: no setting
 * opens what is refused by itself, and outside a jail none covers a command that cannot be read.
 */
export function withHonestAdvice(explanation: Explanation, action: Action): Explanation {
  const why = unreadable(action);
  const covers =
    action.actor.confinement === 'jailed' ? 'no `allow` with a pattern covers it' : 'no `allow` covers it';
  const layers = explanation.layers.map((layer) =>
    why !== undefined && layer.layer === 'rules' && layer.says === 'nothing'
      ? { ...layer, reason: `${why}, so ${covers}` }
      : layer,
  );
  const only = onlyAdvice(explanation, action, why !== undefined);
  return { ...explanation, layers, ...(only === undefined ? {} : { change: [only] }) };
}

function onlyAdvice(
  { outcome, layers }: Explanation,
  { actor, target, tool }: Action,
  isUnreadable: boolean,
): string | undefined {
  if (outcome === 'ask' && isUnreadable && actor.confinement === 'unconfined')
    return 'run the agent in a jail, where such a command is local and what it sends out is judged by itself; or have it send commands that can be read';
  const last = layers.at(-1);
  if (last?.says !== 'deny') return undefined;
  if (target.problem !== undefined) return 'no setting allows this; the agent has to send it in another form';
  if (last.violation === 'ToolNotFound')
    return 'check the name: a tool is one of the client, of the catalogue, or of an MCP server';
  if (last.layer === 'visibility' && last.rule !== undefined)
    return listAdvice(tool, last.rule, last.violation === 'ToolExplicitlyDenied');
  if (last.layer === 'boundary' && last.violation === 'PathOutsideBoundary' && last.rule === undefined)
    return 'no setting opens it: the gateway keeps its keys, its policy and its trail there';
  return undefined;
}

function listAdvice(tool: string, setting: string, isDenied: boolean): string {
  const isContext = setting.endsWith('.security_context');
  if (isDenied) return `take \`${tool}\` off ${isContext ? 'the deny list of ' : ''}\`${setting}\``;
  return isContext
    ? `add a capability for \`${tool}\` to \`${setting}\``
    : `add \`${tool}\` to \`${setting}\``;
}

function unreadable({ target }: Action): string | undefined {
  const line = lineOf(target);
  if (line === undefined) return undefined;
  if (line.unknown !== undefined) return `the line cannot be read (${line.unknown})`;
  const fact = line.commands.find(({ unknown }) => unknown !== undefined);
  return fact === undefined ? undefined : `\`${fact.text}\` cannot be known (${fact.unknown})`;
}

/** What models may still say about an action: they are no layer of the policy, so no layer tells of them. */
export function modelNotes(judgement: Judgement, action: Action, policies: PolicySet): readonly string[] {
  if (judgement.outcome === 'deny') return [];
  const { tenant } = action.actor;
  const policy = policies.policyOf(tenant);
  const { config } = policies.loaded;
  const gatekeeper = config.tenants[tenant]?.gatekeeper ?? config.gatekeeper;
  const criteria = policy === undefined ? [] : validationsFor(policy, action);
  return [
    ...criteria.map(
      ({ tool }) => `a model checks it first by \`tool_validation.${tool}\`, and may refuse it`,
    ),
    ...(gatekeeper === undefined || judgement.outcome !== 'ask' || judgement.strength !== 'review'
      ? []
      : [
          gatekeeper.auto_approve === 'none'
            ? 'the gatekeeper reviews it first; people see the review and answer'
            : `the gatekeeper reviews it first, and may answer alone up to risk \`${gatekeeper.auto_approve}\``,
        ]),
  ];
}
