import { hasPrefix, hasWord, plainWords, realFiles, valuesOf } from '../words.ts';
import { BY_ITS_CONFIG, type Trap, type WrapperDefinition } from '../wrapper.ts';
import { byClassifier } from './by-classifier.ts';

/** Flags whose value is a file that is read, by how they end. */
const READS =
  /^--(?:[a-z-]+-)?(?:from-file|file|source|key-file|data-file|policy-file|config|env-vars-file|spec)$/;
const WRITES = /^--(?:[a-z-]+-)?(?:output-file|destination-file|ciphertext-file|plaintext-file|out-file)$/;

const TRAPS: readonly Trap[] = [
  {
    words: '`gcloud auth`, `config`, `init`, `components`',
    answer: 'refuse',
    sentence: 'it logs in, or changes the program or its settings; the gateway lends what `--creds` names',
    springs: (argv) => {
      const [first = '', second = '', third = ''] = plainWords(argv);
      const [group, verb] = /^(?:alpha|beta|preview)$/.test(first) ? [second, third] : [first, second];
      if (group === 'config' || group === 'auth') return verb !== 'list';
      return /^(?:init|components|interactive|feedback|survey|docker)$/.test(group);
    },
  },
  {
    words: '`--account`, `--access-token-file`, `--configuration`, `--credential-file-override`',
    answer: 'refuse',
    sentence: 'it would use other credentials than the one that is lent; name it with `--creds`',
    springs: (argv) =>
      ['--account', '--access-token-file', '--configuration', '--credential-file-override'].some((name) =>
        hasPrefix(argv, name, 5),
      ),
  },
  {
    words: '`--flags-file`',
    answer: 'refuse',
    sentence: 'flags in a file are not seen; write them into the command',
    springs: (argv) => hasPrefix(argv, '--flags-file', 5),
  },
  {
    words: '`--impersonate-service-account`',
    answer: 'ask',
    sentence: '`--impersonate-service-account` acts as someone else',
    springs: (argv) => hasPrefix(argv, '--impersonate-service-account', 5),
  },
  {
    words: '`--log-http`, `--trace-token`',
    answer: 'ask',
    sentence: 'it prints or copies the requests with their tokens',
    springs: (argv) => hasPrefix(argv, '--log-http', 5) || hasPrefix(argv, '--trace-token', 5),
  },
  {
    words: '`ssh`, `scp`, `start-iap-tunnel`, `connect-to-serial-port`',
    answer: 'ask',
    sentence: 'it opens a shell or a tunnel, and what goes through it is not seen',
    springs: (argv) =>
      plainWords(argv).some((word) =>
        /^(?:ssh|scp|start-iap-tunnel|connect-to-serial-port|ssh-to-serial-port|config-ssh|cloud-shell)$/.test(
          word,
        ),
      ),
  },
  {
    words: '`--flag=@file`, `--flag @file`',
    answer: 'ask',
    sentence: 'a value comes from a file and is not in the words',
    springs: (argv) => argv.some((word, at) => at > 0 && /^(?:--[a-z-]+=)?@/.test(word)),
  },
];

const TOKEN = { env: { CLOUDSDK_AUTH_ACCESS_TOKEN: '{token}' } } as const;

export const gcloud: WrapperDefinition = {
  name: 'gcloud',
  programs: ['gcloud'],
  about: 'the CLI of Google Cloud',
  install: 'https://cloud.google.com/sdk/docs/install',
  intent: byClassifier,
  traps: TRAPS,
  files(argv) {
    const flags = argv.slice(1).flatMap((word) => {
      const [name = ''] = word.split('=', 1);
      return name.startsWith('--') ? [name] : [];
    });
    const reads = flags.filter((name) => READS.test(name) && !WRITES.test(name));
    const at = argv.flatMap((word) => /^(?:--[a-z-]+=)?@(.+)$/s.exec(word)?.[1] ?? []);
    const storage =
      hasWord(argv, 'storage') || argv.includes('storage') ? localSides(argv) : { reads: [], writes: [] };
    return {
      reads: realFiles([...valuesOf(argv, ...reads), ...at, ...storage.reads]),
      writes: realFiles([...valuesOf(argv, ...flags.filter((name) => WRITES.test(name))), ...storage.writes]),
    };
  },
  credentials: {
    gcp_static: TOKEN,
    gcp_impersonate: TOKEN,
    gcp_adc: TOKEN,
    env: BY_ITS_CONFIG,
    file: BY_ITS_CONFIG,
  },
  environment: {
    CLOUDSDK_CORE_DISABLE_PROMPTS: '1',
    CLOUDSDK_CORE_DISABLE_USAGE_REPORTING: '1',
    CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK: '1',
    CLOUDSDK_CORE_SHOW_STRUCTURED_LOGS: 'never',
  },
};

/** `storage cp|mv|rsync SOURCE… TARGET`: whichever of them are no buckets. */
function localSides(argv: readonly string[]): { reads: readonly string[]; writes: readonly string[] } {
  const words = plainWords(argv);
  const verb = words.findIndex((word) => /^(?:cp|mv|rsync)$/.test(word));
  if (verb === -1) return { reads: [], writes: [] };
  const operands = words.slice(verb + 1);
  const isBucket = (word: string): boolean => /^[a-z0-9]+:\/\//.test(word);
  const target = operands.at(-1) ?? '';
  return {
    reads: operands.slice(0, -1).filter((word) => !isBucket(word)),
    writes: isBucket(target) ? [] : [target],
  };
}
