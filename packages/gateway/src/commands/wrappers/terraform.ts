import type { CliIntent } from '../../actions/index.ts';
import { plainWords, realFiles } from '../words.ts';
import { BY_ITS_CONFIG, type CommandPlace, type Trap, type WrapperDefinition } from '../wrapper.ts';
import { AWS_KEYS } from './aws.ts';
import { byClassifier } from './by-classifier.ts';

/** Go's flag package: `-out=x`, `-out x`, `--out=x`. */
export function flagValues(argv: readonly string[], ...names: readonly string[]): readonly string[] {
  return argv.flatMap((word, at) => {
    const [, name = '', attached] = /^--?([a-z][a-z-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (at === 0 || !names.includes(name)) return [];
    return [attached ?? argv[at + 1] ?? ''];
  });
}

function hasFlag(argv: readonly string[], ...names: readonly string[]): boolean {
  return argv.some((word, at) => at > 0 && names.includes(/^--?([a-z][a-z-]*)/.exec(word)?.[1] ?? ''));
}

/** The verb: the first word that is no flag. A flag before it takes its value attached, as terraform wants it. */
export function verbOf(argv: readonly string[]): string {
  return plainWords(argv)[0] ?? '';
}

/** The plan that an `apply` names: its last word, where that is no flag and no flag's value. */
export function planOf(argv: readonly string[]): string | undefined {
  if (verbOf(argv) !== 'apply') return undefined;
  const last = argv.at(-1) ?? '';
  const before = argv.at(-2) ?? '';
  const isValue =
    /^--?(?:var|var-file|target|replace|state|state-out|backup|lock-timeout|parallelism|exclude)$/.test(
      before,
    );
  return last.startsWith('-') || last === 'apply' || isValue ? undefined : last;
}

const TRAPS: readonly Trap[] = [
  {
    words: '`terraform apply` without a plan, `destroy`',
    answer: 'refuse',
    sentence:
      'what it would do is not known before it is done; run `terraform plan -out=NAME` (`-destroy` to take all down), `terraform show NAME`, then `terraform apply NAME`',
    springs: (argv) => verbOf(argv) === 'destroy' || (verbOf(argv) === 'apply' && planOf(argv) === undefined),
  },
  {
    words: '`apply -destroy`, `-replace`, `-target`, `-var`, `-var-file`, `-auto-approve` beside a plan',
    answer: 'refuse',
    sentence: 'a plan is applied as it is; make another plan with these options',
    springs: (argv) =>
      verbOf(argv) === 'apply' &&
      hasFlag(
        argv,
        'destroy',
        'replace',
        'target',
        'exclude',
        'var',
        'var-file',
        'refresh-only',
        'refresh',
        'state',
        'state-out',
        'backup',
      ),
  },
  {
    words: '`terraform console`, `login`, `logout`',
    answer: 'refuse',
    sentence: 'it waits for someone to type, or keeps a login in a home that is thrown away',
    springs: (argv) => /^(?:console|login|logout)$/.test(verbOf(argv)),
  },
  {
    words: '`-plugin-dir`, `-from-module`, `-backend-config`, `-reconfigure`, `-migrate-state`',
    answer: 'ask',
    sentence: 'it says where programs come from, or where the state is kept',
    springs: (argv) =>
      hasFlag(
        argv,
        'plugin-dir',
        'from-module',
        'backend-config',
        'reconfigure',
        'migrate-state',
        'force-copy',
        'upgrade',
      ),
  },
  {
    words:
      '`terraform test`, `import`, `state rm|mv|push|replace-provider`, `taint`, `untaint`, `force-unlock`, `refresh`',
    answer: 'ask',
    sentence: 'it changes resources or the state without a plan that could be shown',
    springs: (argv) => {
      const [verb = '', second = ''] = plainWords(argv);
      if (verb === 'state') return !/^(?:list|show)$/.test(second);
      if (verb === 'workspace') return !/^(?:list|show)$/.test(second);
      return /^(?:test|import|taint|untaint|force-unlock|refresh)$/.test(verb);
    },
  },
  {
    words: '`-lock=false`',
    answer: 'ask',
    sentence: 'without the lock someone else may change the state at the same time',
    springs: (argv) => argv.some((word) => /^--?lock=(?:false|f|0|F|False|FALSE)$/.test(word)),
  },
];

/** Verbs that start programs of the workspace and change nothing by themselves. */
const ONLY_LOOKS = /^(?:plan|graph|providers schema|state show)(?: |$)/;

/** SECURITY: a plan is a read only where the code that it starts can do no more than read. */
function intent(argv: readonly string[], place: CommandPlace): CliIntent {
  const read = byClassifier(argv, place);
  if (place.codeOnlyReads !== true || read.unknown !== undefined) return read;
  if (!ONLY_LOOKS.test(read.operation ?? '')) return read;
  return { ...read, effect: 'read', risk: 'low' };
}

export const terraform: WrapperDefinition = {
  name: 'terraform',
  programs: ['terraform', 'tofu'],
  about: 'Terraform and OpenTofu',
  install: 'https://developer.hashicorp.com/terraform/install',
  intent,
  traps: TRAPS,
  files(argv) {
    const named = flagValues(
      argv,
      'var-file',
      'state',
      'plan',
      'chdir',
      'target-file',
      'exclude-file',
      'test-directory',
      'plugin-dir',
      'config',
    );
    const plan = planOf(argv) ?? (verbOf(argv) === 'show' ? plainWords(argv)[1] : undefined);
    return {
      reads: realFiles(['.', ...named, ...(plan === undefined ? [] : [plan])]),
      writes: realFiles(flagValues(argv, 'out', 'generate-config-out', 'state-out', 'backup')),
      folder: true,
    };
  },
  credentials: {
    aws_static: AWS_KEYS,
    aws_assume_role: AWS_KEYS,
    aws_sso: AWS_KEYS,
    gcp_static: { env: { GOOGLE_OAUTH_ACCESS_TOKEN: '{token}' } },
    gcp_impersonate: { env: { GOOGLE_OAUTH_ACCESS_TOKEN: '{token}' } },
    gcp_adc: { env: { GOOGLE_OAUTH_ACCESS_TOKEN: '{token}' } },
    github_pat: { env: { GITHUB_TOKEN: '{token}' } },
    github_app: { env: { GITHUB_TOKEN: '{token}' } },
    datadog: { env: { DD_API_KEY: '{api_key}', DD_APP_KEY: '{app_key}' } },
    env: BY_ITS_CONFIG,
    file: BY_ITS_CONFIG,
  },
  environment: {
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    CHECKPOINT_DISABLE: '1',
    TF_CLI_CONFIG_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  },
};
