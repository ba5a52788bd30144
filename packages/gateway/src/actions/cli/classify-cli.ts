import { classifyAws } from './aws.ts';
import type { CliClassifier, CliContext, CliIntent } from './cli-intent.ts';
import { asUnknown, unknownVerb } from './cli-intent.ts';
import { classifyCurl } from './curl.ts';
import { classifyGcloud } from './gcloud.ts';
import { classifyGh } from './gh.ts';
import { classifyGit } from './git.ts';
import { withHosts } from './host-text.ts';
import { classifyKubectl } from './kubectl.ts';
import { hostsInWords } from './named-hosts.ts';
import { DATADOG_NOUNS, LINEAR_NOUNS, nounVerbClassifier } from './noun-verb.ts';
import { classifyTerraform } from './terraform.ts';
import { classifyWget } from './wget.ts';

/** No table of verbs exists for these: each of their commands is an unknown write. */
const withoutTable: CliClassifier = (argv) => unknownVerb(argv[0] ?? '', argv[1]);

const CLASSIFIERS: ReadonlyMap<string, CliClassifier> = new Map<string, CliClassifier>([
  ['aws', classifyAws],
  ['gcloud', classifyGcloud],
  ['gsutil', withoutTable],
  ['bq', withoutTable],
  ['gh', classifyGh],
  ['kubectl', classifyKubectl],
  ['terraform', classifyTerraform],
  ['tofu', classifyTerraform],
  ['curl', classifyCurl],
  ['wget', classifyWget],
  ['git', classifyGit],
  ['datadog', nounVerbClassifier('datadog', DATADOG_NOUNS)],
  ['dog', nounVerbClassifier('dog', DATADOG_NOUNS)],
  ['datadog-ci', nounVerbClassifier('datadog-ci', DATADOG_NOUNS)],
  ['linear', nounVerbClassifier('linear', LINEAR_NOUNS)],
]);

/**
 * What a command would do, from its words; undefined when there is no classifier for the program.
 *
 * `argv[0]` is a base name (`aws`). Never throws: words with a NUL byte, which no program can receive, and a
 * failure inside a classifier are an unknown command.
 */
export function classifyCli(argv: readonly string[], context: CliContext): CliIntent | undefined {
  const program = argv[0] ?? '';
  const classify = CLASSIFIERS.get(program);
  if (classify === undefined) return undefined;
  try {
    const read = classify(argv, context);
    const intent = argv.some((word) => word.includes('\0'))
      ? asUnknown(read, 'a word holds a NUL byte')
      : read;
    // SECURITY: what a command does with an address is not known, and that it names it is [GA-13].
    return intent.unknown === undefined ? intent : withHosts(intent, hostsInWords(argv));
  } catch {
    // SECURITY: an error inside a decision is a refusal to know, never a read.
    return asUnknown(unknownVerb(program, argv[1]), `\`${program}\` could not be read`);
  }
}
