import type { Action } from '@sallyport/protocol';
import { classifyAws } from './aws.ts';
import { bedrockInference, isBedrockHost } from './bedrock.ts';
import { classifyDatadog } from './datadog.ts';
import { classifyGcp } from './gcp.ts';
import { classifyBitbucket, classifyGitlab, classifyPlainGit } from './git-hosts.ts';
import { classifyGithub } from './github.ts';
import { classifyKubernetes } from './kubernetes.ts';
import { classifyLinear } from './linear.ts';
import { anthropic, azure, google, ollama, openai, openrouter } from './model-api.ts';
import { classifyOci } from './oci.ts';
import { classifyDownloads, classifyNpm } from './packages.ts';
import type { Provider } from './provider.ts';
import { classifySlack } from './slack.ts';
import { isVertexHost, vertexInference } from './vertex.ts';

/** Every provider that `providers:` in the config may name. */
export const PROVIDERS = {
  anthropic,
  aws: { classify: classifyAws, inferenceOf: bedrockInference, veiledPaths: true },
  azure,
  bitbucket: { classify: classifyBitbucket },
  cargo: { classify: classifyDownloads },
  datadog: { classify: classifyDatadog },
  gcp: { classify: classifyGcp, inferenceOf: vertexInference, veiledPaths: true },
  git: { classify: classifyPlainGit },
  github: { classify: classifyGithub },
  gitlab: { classify: classifyGitlab, veiledPaths: true },
  go: { classify: classifyDownloads },
  google,
  kubernetes: { classify: classifyKubernetes },
  linear: { classify: classifyLinear },
  maven: { classify: classifyDownloads },
  npm: { classify: classifyNpm, veiledPaths: true },
  oci: { classify: classifyOci },
  ollama,
  openai,
  openrouter,
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
  if (target.kind !== 'http' || target.provider === undefined) return false;
  return MODEL_APIS.has(target.provider) || isBedrockHost(target.host) || isVertexHost(target.host);
}
