import type { ShellCase } from './case-context.ts';
import { FRIENDLY } from './friendly.ts';
import { HOSTILE_EXPANSION } from './hostile-expansion.ts';
import { HOSTILE_NAMES } from './hostile-names.ts';
import { HOSTILE_SYNTAX } from './hostile-syntax.ts';
import { HOSTILE_WRAPPERS } from './hostile-wrappers.ts';
import { HOSTILE_WRITES } from './hostile-writes.ts';

export const HOSTILE: readonly ShellCase[] = [
  ...HOSTILE_WRAPPERS,
  ...HOSTILE_EXPANSION,
  ...HOSTILE_SYNTAX,
  ...HOSTILE_WRITES,
  ...HOSTILE_NAMES,
];

export const ALL_CASES: readonly ShellCase[] = [...HOSTILE, ...FRIENDLY];
