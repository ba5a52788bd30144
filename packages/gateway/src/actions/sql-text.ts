/**
 * A statement that only reads, told by its shape: one `select`, `show`, `explain` or `describe` of names, numbers and
 * texts. SECURITY: no call but those of the list: a function can write files, end sessions, load libraries. No
 * comment: MySQL runs what stands in some of them.
 */
export function isPlainQuery(text: string): boolean {
  if (text.length > 4000 || !/^\s*(?:select|show|explain\s+select|describe|desc)\b/i.test(text)) return false;
  // Texts and quoted names are taken out first, so that nothing inside of them counts.
  const bare = text.replaceAll(/'(?:[^'\\]|'')*'|"[^"\\]*"|`[^`\\]*`/g, ' x ').replace(/;\s*$/, '');
  if (/[;\\$@#'"`{}[\]]|--|\/\*/.test(bare)) return false;
  if (/\b(?:into|for\s+update|for\s+share|procedure|outfile|dumpfile|analyze)\b/i.test(bare)) return false;
  const calls = [...bare.matchAll(/(\w+)\s*\(/g)].map(([, name = '']) => name.toLowerCase());
  return calls.every((name) => SAFE_CALLS.has(name));
}

const SAFE_CALLS: ReadonlySet<string> = new Set(
  `count sum min max avg coalesce lower upper length substr substring trim round abs date now current_date current_timestamp
  cast in and or not on where from select exists values as over partition by having distinct date_trunc to_char extract
  nullif greatest least concat replace row_number rank json_extract jsonb_array_length array_length char_length version
  case when then else between like using join strftime datetime typeof ifnull group_concat string_agg pg_size_pretty
  pg_database_size pg_relation_size pg_total_relation_size`.split(/\s+/),
);
