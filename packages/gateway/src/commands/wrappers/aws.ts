import { classifyCli } from '../../actions/index.ts';
import { hasPrefix, plainWords, realFiles } from '../words.ts';
import { BY_ITS_CONFIG, type CommandFiles, type Trap, type WrapperDefinition } from '../wrapper.ts';
import { byClassifier } from './by-classifier.ts';

/** Groups of calls that start a program, a tunnel or a shell beside the one request. */
const SESSIONS = new Set([
  'ssm start-session',
  'ssm resume-session',
  'ecs execute-command',
  'ec2-instance-connect ssh',
  'ec2-instance-connect open-tunnel',
  'emr ssh',
  'emr socks',
  'emr put',
  'emr get',
  'gamelift get-game-session-log',
]);
/** They write files of the home, which is thrown away, or print what logs in elsewhere. */
const LOGINS = new Set([
  'eks update-kubeconfig',
  'codeartifact login',
  'ecr get-login',
  'configure',
  'sso login',
  'sso logout',
  'login',
  'logout',
  'opsworks register',
]);

/** The service and the call, by the words that are no options: a value before them makes it none of these. */
function callIn(argv: readonly string[], calls: ReadonlySet<string>): boolean {
  const words = plainWords(argv);
  return words.some((word, at) => calls.has(word) || calls.has(`${word} ${words[at + 1] ?? ''}`));
}

const TRAPS: readonly Trap[] = [
  {
    words: '`aws configure`, `sso login`, `login`, `eks update-kubeconfig`, `codeartifact login`',
    answer: 'refuse',
    sentence:
      'it changes settings or logs in; the gateway lends what `--creds` names, and the home is thrown away',
    springs: (argv) => callIn(argv, LOGINS),
  },
  {
    words: '`--profile`',
    answer: 'refuse',
    sentence: 'there are no profiles at the gateway; name a credential with `--creds`',
    springs: (argv) => hasPrefix(argv, '--profile', 3),
  },
  {
    words: '`--ca-bundle`, `--no-verify-ssl`',
    answer: 'refuse',
    sentence: 'it would trust other certificates than the gateway does; leave it out',
    springs: (argv) => hasPrefix(argv, '--ca-bundle', 4) || hasPrefix(argv, '--no-verify-ssl', 6),
  },
  {
    words: '`--cli-auto-prompt`',
    answer: 'refuse',
    sentence: 'it lets someone type another command; spell the command out',
    springs: (argv) => hasPrefix(argv, '--cli-auto-prompt', 7),
  },
  {
    words: '`--endpoint-url`',
    answer: 'ask',
    sentence: '`--endpoint-url` sends the signed request to another address',
    springs: (argv) => hasPrefix(argv, '--endpoint-url', 4),
  },
  {
    words: '`--debug`',
    answer: 'ask',
    sentence: '`--debug` prints the requests with their signatures and tokens',
    springs: (argv) => hasPrefix(argv, '--debug', 4),
  },
  {
    words: '`--cli-input-json`, `--cli-input-yaml`',
    answer: 'ask',
    sentence: 'parameters come from a file and are not in the words',
    springs: (argv) => hasPrefix(argv, '--cli-input-json', 7) || hasPrefix(argv, '--cli-input-yaml', 7),
  },
  {
    words: 'a parameter that is an address (`--x http://…`)',
    answer: 'ask',
    sentence: 'version 1 of the program fetches a parameter that is an address, and sends on what it gets',
    springs: (argv) => argv.some((word, at) => at > 0 && fetches(argv, at, word)),
  },
  {
    words: '`ssm start-session`, `ecs execute-command`, `ec2-instance-connect ssh`, `emr ssh`',
    answer: 'ask',
    sentence: 'it opens a shell or a tunnel, and what goes through it is not seen',
    springs: (argv) => callIn(argv, SESSIONS),
  },
];

function fetches(argv: readonly string[], at: number, word: string): boolean {
  const [, attached, address] = /^(--[a-z0-9-]+=)?(https?:\/\/.*)$/is.exec(word) ?? [];
  if (address === undefined) return false;
  const option = attached?.slice(0, -1) ?? argv[at - 1] ?? '';
  return !/ur[il]s?$/.test(option);
}

/** `file://x`, the local side of `s3 cp|mv|sync`, files of packages, and where an answer is streamed to. */
function files(argv: readonly string[], place: Parameters<WrapperDefinition['files']>[1]): CommandFiles {
  const named = argv.flatMap((word) => {
    const file = /(?:^|=|[,\s])fileb?:\/\/(.*)$/s.exec(word)?.[1];
    return file === undefined ? [] : [file];
  });
  const words = plainWords(argv);
  const isCopy = /^(?:cp|mv|sync)$/.test(words[words.indexOf('s3') + 1] ?? '') && words.includes('s3');
  const operands = isCopy ? words.slice(words.indexOf('s3') + 2) : [];
  const uploads = operands[0]?.startsWith('s3://') === false ? [operands[0]] : [];
  const templates = argv.flatMap((word, at) =>
    /^--(?:template-file|source|zip-file)$/.test(word) ? [argv[at + 1] ?? ''] : [],
  );
  const plain = [...templates.filter((file) => !file.includes('://')), ...uploads, ...named];
  const streamed = classifyCli(argv, place)?.writes?.map(({ given }) => given) ?? [];
  const downloads =
    isCopy && operands[0]?.startsWith('s3://') === true && operands[1]?.startsWith('s3://') === false
      ? [operands[1]]
      : [];
  return { reads: realFiles(plain), writes: realFiles([...streamed, ...downloads]) };
}

const KEYS = {
  env: {
    AWS_ACCESS_KEY_ID: '{access_key_id}',
    AWS_SECRET_ACCESS_KEY: '{secret_access_key}',
    AWS_SESSION_TOKEN: '{session_token}',
    AWS_REGION: '{region}',
    AWS_DEFAULT_REGION: '{region}',
  },
} as const;

export const aws: WrapperDefinition = {
  name: 'aws',
  programs: ['aws'],
  about: 'the CLI of AWS',
  install: 'apt-get install awscli',
  intent: byClassifier,
  traps: TRAPS,
  files,
  credentials: {
    aws_static: KEYS,
    aws_assume_role: KEYS,
    aws_sso: KEYS,
    env: BY_ITS_CONFIG,
    file: BY_ITS_CONFIG,
  },
  environment: {
    AWS_PAGER: '',
    AWS_CLI_AUTO_PROMPT: 'off',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  },
};

export { KEYS as AWS_KEYS };
