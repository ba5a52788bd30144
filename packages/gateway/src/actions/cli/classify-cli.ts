import type { CliClassifier, CliContext, CliIntent } from './cli-intent.ts';
import { classifyGit } from './git.ts';

const CLASSIFIERS: ReadonlyMap<string, CliClassifier> = new Map<string, CliClassifier>([
  ['git', classifyGit],
]);

/**
 * What a command would do, from its words; undefined when there is no classifier for the program.
 *
 * `argv[0]` is a base name (`aws`). Never throws: a failure inside a classifier is an unknown command.
 */
export function classifyCli(argv: readonly string[], context: CliContext): CliIntent | undefined {
  const classify = CLASSIFIERS.get(argv[0] ?? '');
  return classify?.(argv, context);
}
