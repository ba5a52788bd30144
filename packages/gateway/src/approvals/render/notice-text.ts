import type { Notice } from '../approval/message.ts';
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

/** Said in place of questions that are held back; `code` marks a command in the channel's own way. */
export function digestText(
  { held, shown }: { readonly held: number; readonly shown: number },
  code: (command: string) => string = (command) => `\`${command}\``,
): string {
  if (held === 0) return 'No more questions are held back.';
  return `${count(held)} more questions wait behind the ${count(shown)} above. They come as you answer; ${code('sallyport pending')} shows all.`;
}
