import { hasWord, plainWords, realFiles, valuesOf } from '../words.ts';
import { BY_ITS_CONFIG, type Trap, type WrapperDefinition } from '../wrapper.ts';
import { byClassifier } from './by-classifier.ts';

/** The group and the verb: gh takes no option before its group but help and version. */
function isCall(argv: readonly string[], group: string, ...verbs: readonly string[]): boolean {
  const [first, ...rest] = plainWords(argv);
  return first === group && (verbs.length === 0 || verbs.some((verb) => rest.includes(verb)));
}

const TRAPS: readonly Trap[] = [
  {
    words: '`gh auth token`, `auth login`, `auth status -t`; all of `auth` but `auth status`',
    answer: 'refuse',
    sentence: '`gh auth` shows or changes the token, which is lent by the gateway and never shown',
    springs: (argv) =>
      isCall(argv, 'auth') &&
      (plainWords(argv)[1] !== 'status' || argv.some((word) => /^-[a-z]*t|^--show-token/.test(word))),
  },
  {
    words: '`gh alias`',
    answer: 'refuse',
    sentence: '`gh alias` makes a word mean any program; write the command out',
    springs: (argv) => isCall(argv, 'alias'),
  },
  {
    words: '`gh extension`',
    answer: 'refuse',
    sentence: '`gh extension` installs or runs programs of others',
    springs: (argv) => isCall(argv, 'extension') || isCall(argv, 'extensions') || isCall(argv, 'ext'),
  },
  {
    words: '`gh config set`, `gh config clear-cache`',
    answer: 'refuse',
    sentence: '`gh config` names programs that later run, in a home that is thrown away',
    springs: (argv) => isCall(argv, 'config') && !/^(?:get|list|ls)$/.test(plainWords(argv)[1] ?? ''),
  },
  {
    words: '`gh browse`, `--web`',
    answer: 'refuse',
    sentence: 'there is no browser at the gateway; leave `--web` out',
    springs: (argv) =>
      isCall(argv, 'browse') || hasWord(argv, '--web') || (isListed(argv) && hasWord(argv, '-w')),
  },
  {
    words: '`gh codespace ssh|cp|ports|jupyter|logs|code`',
    answer: 'ask',
    sentence: 'it opens a shell or a tunnel, and what goes through it is not seen',
    springs: (argv) =>
      (isCall(argv, 'codespace') || isCall(argv, 'cs')) &&
      !/^(?:list|ls|view)$/.test(plainWords(argv)[1] ?? ''),
  },
  {
    words:
      '`gh repo clone`, `repo fork`, `pr checkout`, `repo sync`, `gist clone`, `issue develop`, `copilot`',
    answer: 'ask',
    sentence: 'it runs git in the carried folder, with the hooks and settings that it has',
    springs: (argv) =>
      isCall(argv, 'repo', 'clone', 'fork', 'sync') ||
      isCall(argv, 'pr', 'checkout', 'co') ||
      isCall(argv, 'gist', 'clone') ||
      isCall(argv, 'issue', 'develop') ||
      isCall(argv, 'co') ||
      isCall(argv, 'copilot'),
  },
  {
    words: '`gh api --hostname`, `gh api https://…`, `-R HOST/…` of another host',
    answer: 'ask',
    sentence: 'the request goes to another host than github.com',
    springs: (argv) =>
      valuesOf(argv, '--hostname').some((host) => host !== 'github.com') ||
      (isCall(argv, 'api') && plainWords(argv).some((word) => /^[a-z][a-z0-9+.-]*:\/\//i.test(word))) ||
      valuesOf(argv, '--repo', '-R').some(isElsewhere),
  },
  {
    words: '`-F name=@file`, `--input`',
    answer: 'ask',
    sentence: 'what is sent comes from a file or the input and is not in the words',
    springs: (argv) =>
      isCall(argv, 'api') &&
      (hasWord(argv, '--input') || valuesOf(argv, '--field', '-F').some((field) => /=@/.test(field))),
  },
];

function isElsewhere(repository: string): boolean {
  const bare = repository.replace(/^https?:\/\//i, '');
  const parts = bare.split('/');
  return parts.length > 2 && parts[0]?.toLowerCase() !== 'github.com';
}

/** `-w` is `--web` where something is shown; elsewhere the letter means something else (`workflow`). */
function isListed(argv: readonly string[]): boolean {
  return /^(?:list|ls|view|create|new|diff|checks|status|code|commits|issues|prs|repos)$/.test(
    plainWords(argv)[1] ?? '',
  );
}

const TOKEN = { env: { GH_TOKEN: '{token}' } } as const;

export const gh: WrapperDefinition = {
  name: 'gh',
  programs: ['gh'],
  about: 'the CLI of GitHub',
  install: 'apt-get install gh',
  intent: byClassifier,
  traps: TRAPS,
  files(argv) {
    const [group = '', verb = '', ...operands] = plainWords(argv);
    const fields = isCall(argv, 'api')
      ? valuesOf(argv, '--field', '-F').flatMap((field) => /=@(.+)$/s.exec(field)?.[1] ?? [])
      : valuesOf(argv, '-F');
    const assets =
      group === 'release' && /^(?:create|new|upload)$/.test(verb)
        ? operands.slice(1).map((word) => word.replace(/#.*$/s, ''))
        : group === 'gist' && /^(?:create|new)$/.test(verb)
          ? operands
          : [];
    const keys = /^(?:ssh-key|gpg-key)$/.test(group) && verb === 'add' ? operands : [];
    const downloads = /^(?:release|run|attestation)$/.test(group) && verb === 'download';
    return {
      reads: realFiles([
        ...valuesOf(argv, '--body-file', '--notes-file', '--input', '--env-file', '--template-file'),
        ...fields,
        ...assets.filter((word) => !isValue(argv, word)),
        ...keys.filter((word) => !isValue(argv, word)),
      ]),
      writes: downloads ? realFiles(['.', ...valuesOf(argv, '--dir', '-D', '--output', '-O')]) : [],
    };
  },
  credentials: {
    github_pat: TOKEN,
    github_app: TOKEN,
    bearer: TOKEN,
    oauth2: TOKEN,
    env: BY_ITS_CONFIG,
    file: BY_ITS_CONFIG,
  },
  environment: {
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    GH_NO_EXTENSION_UPDATE_NOTIFIER: '1',
    GH_PAGER: 'cat',
    GH_BROWSER: '/bin/false',
    GH_EDITOR: '/bin/false',
    GIT_TERMINAL_PROMPT: '0',
  },
};

/** Whether the word is a text for people. Any other word may be a file: what is none is not carried, and that is all. */
function isValue(argv: readonly string[], word: string): boolean {
  const before = argv[argv.indexOf(word) - 1] ?? '';
  return /^(?:--title|-t|--notes|-n|--desc|-d|--discussion-category)$/.test(before);
}
