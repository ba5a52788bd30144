import { type OptionTable, optionTable, parseArgv } from './argv-parser.ts';
import { asUnknown, type CliClassifier, readIntent, unknownVerb, writeIntent } from './cli-intent.ts';

const READS: ReadonlySet<string> = new Set(['list', 'show', 'get', 'query', 'search', 'view']);
const WRITES: ReadonlySet<string> = new Set(
  'create update delete edit add remove set post mute unmute close start stop upload archive assign comment'.split(
    ' ',
  ),
);

/** Options that only shape what is printed. An address or a key is not among them, and so unknown. */
const OPTIONS: OptionTable = optionTable({
  none: '-h|--help -j|--json --no-color -q|--quiet -v|--verbose --all --raw --pretty',
  value: `-o|--output --format -n|--limit --page --cursor --sort --team --project --state --status --assignee --label
    --from --to --start --end --query --tags --name --id`,
});

/**
 * A CLI of the form `program [noun] verb`.
 *
 * A noun counts only when it is listed: in `linear delete list` the second word is a name, not a verb.
 */
export function nounVerbClassifier(program: string, nouns: string): CliClassifier {
  const known = new Set(nouns.split(/\s+/).flatMap((noun) => [noun, `${noun}s`]));
  return (argv) => {
    const [first, second] = argv.slice(1);
    const hasNoun = first !== undefined && known.has(first) && second !== undefined;
    const verb = hasNoun ? second : first;
    if (verb === undefined) return unknownVerb(program, undefined);
    const operation = hasNoun ? `${first} ${verb}` : verb;
    if (WRITES.has(verb)) return writeIntent('remote', 'custom:cli', operation);
    if (!READS.has(verb)) return unknownVerb(program, operation);
    const parsed = parseArgv(argv.slice(hasNoun ? 3 : 2), OPTIONS);
    const intent = readIntent('remote', 'custom:cli', operation);
    return parsed.doubts[0] === undefined ? intent : asUnknown(intent, parsed.doubts[0]);
  };
}

export const DATADOG_NOUNS = `monitor metric dashboard dashboard_list screenboard timeboard event host tag downtime log slo
  incident service_check synthetic user notebook trace span integration`;
export const LINEAR_NOUNS = `issue project team user cycle label comment document milestone initiative roadmap state
  attachment webhook`;
