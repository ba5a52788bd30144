const COLUMNS = 100;

/**
 * Lines of at most 100 columns, the first after `first`, the others after `rest`. What stands in backticks is
 * never broken, because people copy it; such a line may be longer.
 */
export function wrapText(text: string, first: string, rest: string): readonly string[] {
  const words = text.match(/(?:`[^`]*`|[^\s`])+/g) ?? [];
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
