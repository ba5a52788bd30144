import type { Action } from '@sallyport/protocol';
import type { Finding } from '../finding.ts';
import type { RequestView } from '../request-view.ts';
import { classifyAws } from './aws.ts';
import { classifyDatadog } from './datadog.ts';
import { classifyGcp } from './gcp.ts';
import { classifyBitbucket, classifyGitlab, classifyPlainGit } from './git-hosts.ts';
import { classifyGithub } from './github.ts';
import { classifyKubernetes } from './kubernetes.ts';
import { classifyLinear } from './linear.ts';
import {
  classifyAnthropic,
  classifyAzureOpenai,
  classifyGemini,
  classifyOllama,
  classifyOpenai,
  classifyOpenrouter,
} from './model-api.ts';
import { classifyOci } from './oci.ts';
import { classifyDownloads, classifyNpm } from './packages.ts';
import { classifySlack } from './slack.ts';

/** One provider's knowledge of its own operations. */
export interface Provider {
  /** `undefined`: the general rules by method decide. */
  readonly classify: (view: RequestView) => Finding | undefined;
  /** whether segments of its paths may hold an encoded slash: object names, scoped packages, project paths */
  readonly veiledPaths?: true;
}

/** Every provider that `providers:` in the config may name. */
export const PROVIDERS = {
  anthropic: { classify: classifyAnthropic },
  aws: { classify: classifyAws, veiledPaths: true },
  azure: { classify: classifyAzureOpenai },
  bitbucket: { classify: classifyBitbucket },
  cargo: { classify: classifyDownloads },
  datadog: { classify: classifyDatadog },
  gcp: { classify: classifyGcp, veiledPaths: true },
  git: { classify: classifyPlainGit },
  github: { classify: classifyGithub },
  gitlab: { classify: classifyGitlab, veiledPaths: true },
  go: { classify: classifyDownloads },
  google: { classify: classifyGemini },
  kubernetes: { classify: classifyKubernetes },
  linear: { classify: classifyLinear },
  maven: { classify: classifyDownloads },
  npm: { classify: classifyNpm, veiledPaths: true },
  oci: { classify: classifyOci },
  ollama: { classify: classifyOllama },
  openai: { classify: classifyOpenai },
  openrouter: { classify: classifyOpenrouter },
  pypi: { classify: classifyDownloads },
  slack: { classify: classifySlack },
} as const satisfies Readonly<Record<string, Provider>>;

export type ProviderName = keyof typeof PROVIDERS;

const MODEL_APIS: ReadonlySet<string> = new Set<ProviderName>([
  'anthropic',
  'azure',
  'google',
  'ollama',
  'openai',
  'openrouter',
]);

/**
 * Whether what a request says may be read by a model: it is inference, or goes to an API of models, where a body that is
 * not known to be inference may still be one.
 */
export function runsModel({ type, target }: Pick<Action, 'type' | 'target'>): boolean {
  if (type === 'custom:inference') return true;
  return target.kind === 'http' && target.provider !== undefined && MODEL_APIS.has(target.provider);
}
