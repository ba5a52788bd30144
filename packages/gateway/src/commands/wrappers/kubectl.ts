import { hasWord, plainWords, realFiles, valuesOf } from '../words.ts';
import { BY_ITS_CONFIG, type Trap, type WrapperDefinition } from '../wrapper.ts';
import { AWS_KEYS } from './aws.ts';
import { byClassifier } from './by-classifier.ts';

/** The verb may stand behind options with values: any plain word counts until the operands, so all of them are looked at. */
function names(argv: readonly string[], ...verbs: readonly string[]): boolean {
  const words = plainWords(argv);
  const first = words.find((word) => VERBS.has(word)) ?? words[0] ?? '';
  return verbs.includes(first);
}

const VERBS: ReadonlySet<string> = new Set(
  `get describe logs top explain api-resources api-versions wait version cluster-info diff events auth rollout config apply
  create delete scale patch set replace edit expose autoscale annotate label taint cordon uncordon drain certificate exec cp
  attach port-forward proxy debug run kustomize plugin completion alpha options`.split(/\s+/),
);

const TRAPS: readonly Trap[] = [
  {
    words: '`--kubeconfig`, `--kuberc`',
    answer: 'refuse',
    sentence:
      'a kubeconfig names programs that run and where credentials go; the gateway lends its own with `--creds`',
    springs: (argv) => hasWord(argv, '--kubeconfig', '--kuberc'),
  },
  {
    words: '`kubectl proxy`, `port-forward`',
    answer: 'refuse',
    sentence: 'it would listen on the gateway, where the agent is not; run the request itself',
    springs: (argv) => names(argv, 'proxy', 'port-forward'),
  },
  {
    words: '`kubectl edit`',
    answer: 'refuse',
    sentence: 'it opens an editor, and there is none; use `patch` or `apply -f`',
    springs: (argv) => names(argv, 'edit') || (names(argv, 'create', 'set') && hasWord(argv, '--edit')),
  },
  {
    words: '`kubectl config` that changes, `plugin`, a verb that is no own one of kubectl',
    answer: 'refuse',
    sentence: 'it changes where kubectl goes, or runs a plug-in, which can be any program',
    springs: (argv) => {
      const [first = '', second = ''] = plainWords(argv);
      if (names(argv, 'config'))
        return !READS_CONFIG.test(second) && !READS_CONFIG.test(plainWords(argv).at(-1) ?? '');
      return (
        names(argv, 'plugin') ||
        (plainWords(argv).length > 0 && !plainWords(argv).some((word) => VERBS.has(word)) && first !== 'help')
      );
    },
  },
  {
    words: '`kubectl exec`, `cp`, `attach`, `debug`, `run`',
    answer: 'ask',
    sentence: 'it runs a program in the cluster or copies files of it, and what goes through is not seen',
    springs: (argv) => names(argv, 'exec', 'cp', 'attach', 'debug', 'run'),
  },
  {
    words:
      '`--server`, `--cluster`, `--tls-server-name`, `--certificate-authority`, `--insecure-skip-tls-verify`',
    answer: 'ask',
    sentence: 'credentials go to another address, or to one that nobody checked',
    springs: (argv) =>
      hasWord(
        argv,
        '--server',
        '-s',
        '--cluster',
        '--tls-server-name',
        '--certificate-authority',
        '--insecure-skip-tls-verify',
        '--insecure-skip-tls-verify-backend',
        '--proxy-url',
      ),
  },
  {
    words:
      '`--token`, `--user`, `--username`, `--password`, `--client-certificate`, `--client-key`, `--as`, `--as-group`',
    answer: 'ask',
    sentence: 'it acts with other credentials than the one that is lent, or as someone else',
    springs: (argv) =>
      hasWord(
        argv,
        '--token',
        '--user',
        '--username',
        '--password',
        '--client-certificate',
        '--client-key',
        '--as',
        '--as-group',
        '--as-uid',
        '--as-user-extra',
      ),
  },
  {
    words: '`-f https://…`, `-k`, `kustomize`',
    answer: 'ask',
    sentence: 'what is applied comes from another address, or from files that name others',
    springs: (argv) =>
      valuesOf(argv, '--filename', '-f').some((file) => /:\/\//.test(file)) ||
      hasWord(argv, '--kustomize', '-k', '--enable-helm', '--enable-exec', '--enable-alpha-plugins') ||
      names(argv, 'kustomize'),
  },
];

const READS_CONFIG = /^(?:view|get-contexts|get-clusters|get-users|current-context)$/;

export const kubectl: WrapperDefinition = {
  name: 'kubectl',
  programs: ['kubectl'],
  about: 'the CLI of Kubernetes',
  install: 'apt-get install kubernetes-client',
  intent: byClassifier,
  traps: TRAPS,
  files(argv) {
    const named = valuesOf(
      argv,
      '--filename',
      '-f',
      '--patch-file',
      '--from-env-file',
      '--kustomize',
      '-k',
    ).flatMap((list) => list.split(','));
    const keyed = valuesOf(argv, '--from-file', '--cert', '--key').map((value) =>
      value.replace(/^[\w.-]+=/, ''),
    );
    const formats = valuesOf(argv, '--output', '-o').flatMap(
      (format) =>
        /^(?:jsonpath-file|go-template-file|custom-columns-file|templatefile)=(.*)$/s.exec(format)?.[1] ?? [],
    );
    const credentials = valuesOf(
      argv,
      '--certificate-authority',
      '--client-certificate',
      '--client-key',
      '--kubeconfig',
    );
    const outputs = valuesOf(argv, '--cache-dir', '--profile-output', '--output-directory');
    const copies = names(argv, 'cp') ? plainWords(argv).slice(plainWords(argv).indexOf('cp') + 1) : [];
    const local = copies.filter((word) => !/^[\w./-]+:/.test(word));
    const isFile = (file: string): boolean => !/:\/\//.test(file);
    return {
      reads: realFiles([...named, ...keyed, ...formats, ...credentials, ...local].filter(isFile)),
      writes: realFiles([...outputs, ...local.slice(-1)]),
    };
  },
  credentials: {
    file: BY_ITS_CONFIG,
    env: BY_ITS_CONFIG,
    // For a kubeconfig of the operator whose `exec` is `aws eks get-token`.
    aws_static: AWS_KEYS,
    aws_assume_role: AWS_KEYS,
    aws_sso: AWS_KEYS,
  },
  environment: { KUBECTL_KUBERC: 'false', KUBE_EDITOR: '/bin/false', EDITOR: '/bin/false' },
};
