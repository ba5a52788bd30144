import { SallyportError } from '@sallyport/protocol';
import type { ToolResult } from '../executors/index.ts';

/** Throws `OutputSizeLimitExceeded` for a result that is larger than a caller is to be handed [TO-9]. */
export function refuseLargeResult(
  result: ToolResult,
  atMost: number,
  bytesAtMost = Number.POSITIVE_INFINITY,
): void {
  let size = 0;
  let bytes = 0;
  const count = (value: unknown): void => {
    if (typeof value === 'string') {
      size += value.length;
      if (bytesAtMost < Number.POSITIVE_INFINITY) bytes += Buffer.byteLength(value);
      if (bytes > bytesAtMost) throw tooLarge(bytesAtMost, 'bytes');
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        size += key.length + 4;
        if (size > atMost) break;
        count(member);
      }
    } else size += 8;
    if (size > atMost) throw tooLarge(atMost, 'characters');
  };
  count(result);
}

function tooLarge(atMost: number, unit: string): SallyportError {
  return new SallyportError('OutputSizeLimitExceeded', {
    message: `the output of the tool is larger than ${atMost} ${unit}`,
    hint: 'ask for a part of it: a range, a page, a filter',
  });
}
