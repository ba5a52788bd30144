import { isPlainQuery } from '../../sql-text.ts';
import { hasOption, optionTable, optionValues, type ParsedArgv, parseArgv } from '../argv-parser.ts';
import { asUnknown, type CliClassifier, type CliContext, type CliIntent } from '../cli-intent.ts';
import { shownWord } from '../cli-object.ts';
import { isInsideCwd } from '../output-file.ts';
import { intentOf } from '../table/row-kinds.ts';

const SQLITE_OPTIONS = optionTable({
  none: `-append -ascii -bail -batch -box -column -csv -deserialize -echo -header -noheader -help -html -interactive -json -line -list
    -markdown -memtrace -nofollow -quote -readonly -safe -stats -table -tabs -version -zip -heap -unsafe-testing -A`,
  value: '-cmd -init -maxsize -mmap -newline -nonce -nullvalue -separator -vfs -key -hexkey -textkey',
});
/** sqlite3's own commands that look. */
const SQLITE_LOOKS =
  /^\s*\.(?:tables|schema|indexes|indices|databases|dbinfo|fullschema|headers?|mode|show|width|stats|timer|help|dump|version|nullvalue|separator|eqp|changes|explain)\b[^|]*$/;

/** sqlite3: a file of the workspace is its own; its own commands and extensions can do more. */
export const classifySqlite: CliClassifier = (argv, context) => {
  const parsed = parseArgv(argv.slice(1), SQLITE_OPTIONS, { singleDashLong: true });
  if (parsed.doubts.length === 0 && hasOption(parsed, '-version', '-help'))
    return intentOf('look', 'version');
  const [file, ...given] = parsed.positionals;
  const statements = [...optionValues(parsed, '-cmd'), ...given];
  const object = file === undefined ? {} : { object: shownWord(file) };
  if (statements.length === 0) return { ...intentOf('code', 'sqlite3'), ...object, readsInput: true };
  const others = statements.filter((text) => !SQLITE_LOOKS.test(text));
  const reads = hasOption(parsed, '-readonly') || others.every(isPlainQuery);
  const operation = `sqlite3 ${statements.map(shownWord).join(' ')}`;
  const base: CliIntent = reads
    ? { ...intentOf('look', operation), type: 'db:query' }
    : { ...intentOf('edit', operation), type: 'db:mutate', risk: 'high' };
  const intent = { ...base, ...object };
  const reason = parsed.doubts[0] ?? sqliteReason(parsed, others, file ?? '', reads, context);
  return reason === undefined ? intent : asUnknown(intent, reason);
};

function sqliteReason(
  parsed: ParsedArgv,
  statements: readonly string[],
  file: string,
  reads: boolean,
  context: CliContext,
): string | undefined {
  // `.shell`, `.system`, `.output |x`, `.import "|x"`, `.load`, `edit()`, `load_extension()`, `writefile()`, `ATTACH`.
  if (statements.some((text) => /(?:^|[\n;])\s*\./.test(text)))
    return 'a command of sqlite3 can run programs and write files';
  if (
    statements.some((text) =>
      /\b(?:load_extension|writefile|readfile|edit|fts3_tokenizer|attach|vacuum\s+into|pragma)\b/i.test(text),
    )
  )
    return 'this can load libraries, or reach other files';
  if (hasOption(parsed, '-init', '-vfs', '-A', '-unsafe-testing', '-interactive'))
    return 'it takes its orders from elsewhere';
  return reads || isInsideCwd(file, context) || file === ':memory:'
    ? undefined
    : `\`${file}\` is outside the working folder`;
}
