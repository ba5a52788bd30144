import { createInterface } from 'node:readline/promises';
import { type ApprovalDetail, SallyportError } from '@sallyport/protocol';
import type { CliContext } from '../context.ts';
import type { OperatorClient } from '../operator-client.ts';
import { askYes } from '../output.ts';
import { onlyOne, wholeId } from '../whole-id.ts';
import { findApproval, listPending } from './decide.ts';
import { questionLines, questionRow } from './describe-question.ts';

/**
 * The question that a person means: by its id, or by the beginning of it; without one the only one that waits, or the one
 * that is chosen from a list. Undefined: the person thought better of it.
 */
export async function chooseQuestion(
  context: CliContext,
  operator: OperatorClient,
  typed: string | undefined,
  word: 'Allow' | 'Deny',
): Promise<ApprovalDetail | undefined> {
  if (typed !== undefined) return findApproval(operator, await questionId(operator, typed));
  const { items } = await listPending(operator);
  const [only] = items;
  if (only === undefined) {
    throw new SallyportError('NotFound', { message: 'nothing waits for you', hint: '`sallyport watch`' });
  }
  const chosen = items.length === 1 ? only : await fromList(context, items);
  if (chosen === undefined || !isPersonHere(context)) return chosen;
  // SECURITY: a yes is to what was shown. Another question may have come since the person last looked.
  for (const line of questionLines(chosen, context.output.columns, Date.now())) context.output.note(line);
  return (await askYes(context.streams, `\n${word} this? (y/n) `)) ? chosen : undefined;
}

/** Among the open ones first: few characters are enough there. */
export async function questionId(operator: OperatorClient, typed: string): Promise<string> {
  const beginning = typed
    .replace(/(?:…|\.\.\.)$/, '')
    .replace(/^(?!appr_)/, typed.includes('_') ? '' : 'appr_');
  if (/^appr_[0-9a-z]{26}$/.test(beginning)) return beginning;
  const open = (await listPending(operator)).items
    .map(({ id }) => id)
    .filter((id) => id.startsWith(beginning));
  return open.length > 0 ? onlyOne('appr', beginning, open) : wholeId(operator, 'appr', typed);
}

async function fromList(
  context: CliContext,
  items: readonly ApprovalDetail[],
): Promise<ApprovalDetail | undefined> {
  const { output, streams } = context;
  if (!isPersonHere(context)) {
    throw new SallyportError('Conflict', {
      message: `${items.length} questions wait: say which`,
      hint: `\`sallyport pending\``,
    });
  }
  const rows = items.map((item, index) => {
    const [, risk = '', who = '', , title = ''] = questionRow(item, Date.now());
    return [String(index + 1), risk, who, title];
  });
  for (const line of output.table([['#', 'RISK', 'WHO', 'WHAT'], ...rows])) output.note(line);
  const asking = createInterface({ input: streams.stdin ?? process.stdin, output: streams.stderr });
  try {
    return items[Number(await asking.question('\nWhich one? (its number) ')) - 1];
  } finally {
    asking.close();
  }
}

function isPersonHere({ streams, output }: CliContext): boolean {
  const input = streams.stdin ?? process.stdin;
  return output.isTerminal && 'isTTY' in input && input.isTTY === true;
}
