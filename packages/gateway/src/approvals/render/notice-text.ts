import type { Notice } from '../channels/channel.ts';
import { count, oneLine } from './visible.ts';

/**
 * What passed without a person, as plain text.
 *
 * INVARIANT: the last line is ours. A message is matched to a question by its last line, and no title of an agent
 * may stand there.
 */
export function plainNotice({ tenant, items, more }: Notice): string {
  return [
    `Sallyport let pass after a review (tenant ${oneLine(tenant)}):`,
    '',
    ...items.flatMap(({ title, agent, actionId, review }) => [
      `- What: ${oneLine(title)}`,
      `  Who: ${agent === undefined ? 'unknown' : `agent \`${oneLine(agent)}\``}`,
      `  Review: a model (${oneLine(review.model)}) rates it ${review.risk}: ${oneLine(review.summary)}`,
      `  Action: ${oneLine(actionId)}`,
    ]),
    ...(more === 0 ? [] : [`- and ${count(more)} more, which the trail has`]),
    '',
    'There is nothing to answer. `gatekeeper.auto_approve` in the config says what passes so.',
  ].join('\n');
}
