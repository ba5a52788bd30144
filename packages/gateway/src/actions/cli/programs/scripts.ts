import type { RowKind } from '../table/row-kinds.ts';

/** Names that people give to scripts and targets which only work here, for programs that take them as subcommands. */
export const USUAL_SCRIPTS = `build, dev, start, serve, preview, watch, compile, bundle, generate, codegen, format, fmt,
  format:check, prettier, storybook, clean, build:prod, build:dev`;
export const USUAL_CHECKS = `test, t, tests, unit, e2e, test:unit, test:e2e, test:watch, test:ci, test:integration, coverage,
  lint, lint:fix, typecheck, type-check, types, tsc, check, verify, validate, vitest, jest, eslint, playwright`;

const PARTS = /[^a-z0-9]+/;
const LEAVES: ReadonlySet<string> = new Set(
  `deploy deployment deploys publish release releases ship upload push promote rollout rollback destroy teardown
  production prod live terraform helm kubectl apply provision notify announce`.split(/\s+/),
);
const CHECKS: ReadonlySet<string> = new Set(
  'test tests spec e2e lint check typecheck verify validate coverage unit integration smoke types ci audit'.split(
    ' ',
  ),
);
/** `build:prod` and `test:release` only prepare it. */
const PREPARES: ReadonlySet<string> = new Set(
  'build compile bundle test lint check dry plan preview dev'.split(' '),
);

/** Whether a file of the workspace is named like something that changes what is elsewhere. */
export function isScriptOfDeployment(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return scriptKind(name, 'work') === 'deploy';
}

/**
 * What a script or target of the workspace does, by its name: a guess that only ever asks more. Its code may do anything,
 * as all code of the workspace may; but what calls itself a deployment is asked about as one.
 */
export function scriptKind(name: string, otherwise: RowKind): RowKind {
  const parts = name.toLowerCase().split(PARTS);
  if (parts.some((part) => LEAVES.has(part)) && !PREPARES.has(parts[0] ?? '')) return 'deploy';
  return parts.some((part) => CHECKS.has(part)) ? 'test' : otherwise;
}
