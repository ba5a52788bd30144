import { isPlainQuery } from '../../sql-text.ts';
import { hasOption, optionTable, optionValues, type ParsedArgv, parseArgv } from '../argv-parser.ts';
import { asUnknown, type CliClassifier, type CliIntent } from '../cli-intent.ts';
import { shownWord } from '../cli-object.ts';
import { withHosts } from '../host-text.ts';
import { hostsInWords } from '../named-hosts.ts';
import { intentOf, type RowKind } from '../table/row-kinds.ts';

/** What statements of a client do: reading when each is, else anything. */
function statementsKind(statements: readonly string[]): RowKind {
  return statements.every(isPlainQuery)
    ? 'query'
    : statements.some((text) => ADMIN.test(text))
      ? 'admin'
      : 'mutate';
}

const ADMIN =
  /\b(?:drop|truncate|alter|grant|revoke|create\s+(?:user|role|database|extension|function)|set\s+(?:global|role)|shutdown|copy)\b/i;
/** psql's own commands that look: `\dt`, `\d+ users`, `\l`, `\conninfo`. */
const PSQL_LOOKS =
  /^\s*\\(?:d[a-zA-Z]*[S+]*|l\+?|conninfo|z|sf\+?|sv\+?|encoding|timing|x|pset \w+)(?:\s+[\w.*"]+)*\s*$/;

const PSQL_OPTIONS = optionTable({
  none: `-l|--list -V|--version -X|--no-psqlrc -1|--single-transaction -?|--help -a|--echo-all -b|--echo-errors -e|--echo-queries
    -E|--echo-hidden -n|--no-readline -q|--quiet -s|--single-step -S|--single-line -A|--no-align --csv -H|--html -t|--tuples-only
    -x|--expanded -z|--field-separator-zero -0|--record-separator-zero -w|--no-password -W|--password`,
  value: `-c|--command -d|--dbname -f|--file -v|--set|--variable -L|--log-file -o|--output -F|--field-separator -P|--pset
    -R|--record-separator -T|--table-attr -h|--host -p|--port -U|--username`,
});

/** psql: a plain query reads; files, input and everything else are asked about. */
export const classifyPsql: CliClassifier = (argv) => {
  const parsed = parseArgv(argv.slice(1), PSQL_OPTIONS, { abbreviations: true });
  if (parsed.doubts.length === 0 && hasOption(parsed, '--version', '--help'))
    return intentOf('look', 'version');
  const commands = optionValues(parsed, '--command');
  const statements = commands.filter((text) => !PSQL_LOOKS.test(text));
  // SECURITY: `\!` runs a program, `\o` and `\copy` write files, `\i` reads orders from one.
  const escapes = statements.find((text) => text.includes('\\'));
  const looks = hasOption(parsed, '--list') || (commands.length > 0 && statements.length === 0);
  const kind = looks ? 'query' : commands.length > 0 ? statementsKind(statements) : 'admin';
  const database = optionValues(parsed, '--dbname').at(-1) ?? parsed.positionals[0];
  const intent = describe('psql', kind, parsed, commands, ['--host', '--port'], database, argv);
  const output = hasOption(parsed, '--output', '--log-file')
    ? '`-o` writes a file or starts a program'
    : undefined;
  const file = hasOption(parsed, '--file') ? '`-f` runs a file of statements' : undefined;
  const escaped = escapes === undefined ? undefined : 'a command of psql can run programs and write files';
  const input = commands.length === 0 && !looks ? true : undefined;
  const reason = parsed.doubts[0] ?? output ?? escaped;
  if (reason !== undefined) return asUnknown(intent, reason);
  return {
    ...intent,
    ...(file === undefined ? {} : { runsCode: true }),
    ...(input === undefined ? {} : { readsInput: true }),
  };
};

const MYSQL_OPTIONS = optionTable({
  none: `-V|--version -?|-I|--help -B|--batch -s|--silent -N|--skip-column-names -t|--table -E|--vertical -H|--html -X|--xml -r|--raw
    -C|--compress -f|--force -A|--no-auto-rehash -q|--quick -v|--verbose -w|--wait -i|--ignore-spaces -G|--named-commands
    --ssl --skip-ssl --no-defaults --local-infile --binary-as-hex --column-names --auto-rehash -b|--no-beep -n|--unbuffered`,
  value: `-e|--execute -h|--host -P|--port -u|--user -D|--database -S|--socket --protocol --defaults-file --defaults-extra-file
    --defaults-group-suffix --login-path --pager --tee --init-command --default-character-set --ssl-ca --ssl-cert --ssl-key
    --ssl-mode --connect-timeout --delimiter --prompt --plugin-dir --default-auth`,
  maybe: '-p|--password',
});
const MYSQL_TRAPS: Readonly<Record<string, string>> = {
  '--pager': 'runs a program',
  '--tee': 'writes a file',
  '--init-command': 'runs a statement of its own',
  '--defaults-file': 'takes settings from another file',
  '--defaults-extra-file': 'takes settings from another file',
  '--plugin-dir': 'loads libraries',
  '--local-infile': 'lets the server read files',
  '--ssl-cert': 'uses other credentials',
  '--ssl-key': 'uses other credentials',
};

/** mysql and mariadb. */
export const classifyMysql: CliClassifier = (argv) => {
  const parsed = parseArgv(argv.slice(1), MYSQL_OPTIONS, { abbreviations: true, negation: true });
  if (parsed.doubts.length === 0 && hasOption(parsed, '--version', '--help'))
    return intentOf('look', 'version');
  const statements = optionValues(parsed, '--execute');
  const kind = statements.length === 0 ? 'admin' : statementsKind(statements);
  const database = optionValues(parsed, '--database').at(-1) ?? parsed.positionals[0];
  const intent = describe(
    'mysql',
    kind,
    parsed,
    statements,
    ['--host', '--port', '--socket'],
    database,
    argv,
  );
  const trap = parsed.options.find(({ name }) => MYSQL_TRAPS[name] !== undefined);
  // `\!` and `system` run a program, `source` a file.
  const escapes = statements.some((text) => /\\[!.TtPe]|\b(?:system|source|tee|pager)\b/i.test(text));
  const reason =
    parsed.doubts[0] ??
    (trap === undefined ? undefined : `\`${trap.name}\` ${MYSQL_TRAPS[trap.name]}`) ??
    (escapes ? 'a command of mysql can run programs' : undefined);
  if (reason !== undefined) return asUnknown(intent, reason);
  return statements.length === 0 ? { ...intent, readsInput: true } : intent;
};

/** Where it is, then the statements themselves: a yes to one covers no other. */
function describe(
  program: string,
  kind: RowKind,
  parsed: ParsedArgv,
  statements: readonly string[],
  where: readonly string[],
  database: string | undefined,
  argv: readonly string[],
): CliIntent {
  const places = parsed.options
    .filter(({ name }) => where.includes(name))
    .map(({ name, value }) => `${name}=${shownWord(value ?? '')}`);
  const operation = [program, ...[...new Set(places)].sort(), ...statements.map(shownWord)].join(' ');
  const intent = intentOf(kind, operation);
  return withHosts(
    database === undefined ? intent : { ...intent, object: shownWord(database) },
    hostsInWords(argv),
  );
}
