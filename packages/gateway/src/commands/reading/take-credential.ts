/** The words without what names a credential, and the name. */
export type TakenCredential =
  | { readonly kind: 'words'; readonly argv: readonly string[]; readonly credential?: string }
  | { readonly kind: 'refused'; readonly sentence: string };

const OPTION = '--creds';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?::[A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/;

/**
 * Takes `--creds NAME` and `--creds=NAME` out, wherever it stands, also behind `--`: it is the gateway's and no program's.
 *
 * SECURITY: a second one is refused: which of two credentials is lent would depend on who reads the line.
 */
export function takeCredential(words: readonly string[]): TakenCredential {
  const argv: string[] = [];
  let credential: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const isAttached = word.startsWith(`${OPTION}=`);
    if (word !== OPTION && !isAttached) {
      argv.push(word);
      continue;
    }
    if (credential !== undefined)
      return refused('`--creds` names a second credential; one is lent at a time');
    const name = isAttached ? word.slice(OPTION.length + 1) : words[at + 1];
    if (!isAttached) at += 1;
    if (name === undefined) return refused('`--creds` has no name behind it');
    if (!NAME.test(name)) return refused('what stands behind `--creds` is no name of a credential');
    credential = name;
  }
  if (argv.length === 0) return refused('there is no command beside `--creds`');
  return { kind: 'words', argv, ...(credential === undefined ? {} : { credential }) };
}

function refused(sentence: string): TakenCredential {
  return { kind: 'refused', sentence };
}
