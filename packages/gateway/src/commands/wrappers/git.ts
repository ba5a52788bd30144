import type { CliIntent } from '../../actions/index.ts';
import { repositoryOfAddress } from '../../shared/git-remotes.ts';
import type { CommandPlace, Trap, WrapperDefinition } from '../wrapper.ts';
import { unreadable } from './by-classifier.ts';

/** Where a repository is, as the door and the executor need it. */
export interface GitAddress {
  /** canonical: lower case, no final dot */
  readonly host: string;
  /** as the server is told: without a slash at its beginning, with the case and the `.git` that the agent wrote */
  readonly path: string;
  /** `host/owner/name`, as facts and rules name it */
  readonly repository: string;
}

const PATH = /^\w[\w.-]*(?:\/\w[\w.-]*)+\/?$/;
const HOST = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

/**
 * `github.com/acme/app.git`, or `acme/app.git` where the agent dialled the host itself. One word, no option.
 *
 * SECURITY: nothing that a server's shell, or git on the other side, could read as more than a path: quotes, blanks, `~`, `..`,
 * a dash at the beginning.
 */
export function gitAddressOf(argv: readonly string[], { host }: CommandPlace): GitAddress | undefined {
  const [, given = '', ...more] = argv;
  const bare = given.replace(/^\/+/, '');
  if (more.length > 0 || !PATH.test(bare) || bare.includes('..')) return undefined;
  const [first = '', ...rest] = bare.split('/');
  const at = host ?? first;
  const path = host === undefined ? rest.join('/') : bare;
  const repository = HOST.test(at) ? repositoryOfAddress(`ssh://${at}/${path}`) : undefined;
  if (repository === undefined) return undefined;
  return { host: at.toLowerCase(), path: path.replace(/\/$/, ''), repository };
}

const TRAPS: readonly Trap[] = [
  {
    words: '`--upload-pack`, `--receive-pack`, `-c`, any option or further word',
    answer: 'refuse',
    sentence: 'git at the gateway takes one repository and no options',
    springs: (argv) => argv.length !== 2 || argv[1]?.startsWith('-') === true,
  },
  {
    words: 'an address with `~`, `..`, quotes, blanks or without a host',
    answer: 'refuse',
    sentence: 'the repository is named like `github.com/acme/app.git`',
    springs: (argv, place) => gitAddressOf(argv, place) === undefined,
  },
];

const NO_FILES: WrapperDefinition['files'] = () => ({ reads: [], writes: [] });
const KEY = {
  files: [
    { name: 'key', text: '{private_key}', quoting: 'none' },
    { name: 'known_hosts', text: '{text}', quoting: 'none' },
  ],
} as const;

/** What the transport itself says: which refs a push changes stands in its packets, and is read before it is judged. */
function intentOf(service: 'fetch' | 'push'): WrapperDefinition['intent'] {
  return (argv, place): CliIntent => {
    const address = gitAddressOf(argv, place);
    if (address === undefined) return unreadable(argv[0] ?? '');
    const { host, repository } = address;
    const base = {
      reach: 'remote',
      operation: service,
      object: repository,
      hosts: [{ host, port: 22 }],
    } as const;
    if (service === 'fetch') return { ...base, effect: 'read', type: 'vcs:read', risk: 'low' };
    // SECURITY: until its packets are read a push may change any ref, in any way.
    return {
      ...base,
      effect: 'write',
      type: 'vcs:push',
      risk: 'high',
      repo: { repository, area: 'contents', refs: [{ ref: '*', change: 'unknown' }] },
    };
  };
}

const SHARED = {
  install: 'apt-get install git openssh-client',
  traps: TRAPS,
  files: NO_FILES,
  credentials: { ssh_key: KEY },
  environment: { GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
} as const;

export const gitUploadPack: WrapperDefinition = {
  ...SHARED,
  name: 'git-upload-pack',
  programs: ['git-upload-pack'],
  about: 'git fetch, clone, pull',
  intent: intentOf('fetch'),
};

export const gitReceivePack: WrapperDefinition = {
  ...SHARED,
  name: 'git-receive-pack',
  programs: ['git-receive-pack'],
  about: 'git push',
  intent: intentOf('push'),
};
