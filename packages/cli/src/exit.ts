import { SallyportError } from '@sallyport/protocol/error';
import type { Output } from './output.ts';

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Prints what went wrong in words: what happened, then what to do. Never a stack trace. */
export function printError(error: unknown, output: Output, asJson: boolean): void {
  const known =
    error instanceof SallyportError
      ? error
      : new SallyportError('Internal', { message: error instanceof Error ? error.message : String(error) });
  if (asJson) {
    output.json(known.toBody());
    return;
  }
  output.note(`${output.style('red', 'error')}  ${known.message}`);
  if (known.hint !== undefined) output.note(`       ${known.hint}`);
}
