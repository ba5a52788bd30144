import { BUILD_LINES } from './build-lines.ts';
import { CLOUD_LINES } from './cloud-lines.ts';
import { CONTAINER_LINES } from './container-lines.ts';
import { MACHINE_LINES } from './machine-lines.ts';
import { PACKAGE_LINES } from './package-lines.ts';
import type { ReferenceClass, ReferenceLines } from './reference-lines.ts';

const LINES: ReferenceLines = {
  ...PACKAGE_LINES,
  ...BUILD_LINES,
  ...CONTAINER_LINES,
  ...CLOUD_LINES,
  ...MACHINE_LINES,
};

export interface ReferenceLine {
  readonly program: string;
  readonly line: string;
  readonly argv: readonly string[];
  readonly expected: ReferenceClass;
}

export const REFERENCE: readonly ReferenceLine[] = Object.entries(LINES).flatMap(([program, classes]) =>
  Object.entries(classes).flatMap(([expected, text]) =>
    text.split('\n').map((words) => {
      const line = `${program} ${words.trim()}`;
      // The keys of `classes` are classes: its type says so.
      return { program, line, argv: splitWords(line), expected: expected as ReferenceClass };
    }),
  ),
);

/** Words as a shell would split them, for lines without expansions. */
function splitWords(line: string): readonly string[] {
  return (line.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'));
}
