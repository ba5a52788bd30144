import type { ProviderName } from '../../../config/index.ts';
import { classifyBitbucket, classifyPlainGit } from '../git/smart-http.ts';
import { classifyAws } from './aws.ts';
import { bedrockInference, isBedrockHost } from './bedrock.ts';
import { classifyDatadog } from './datadog.ts';
import { classifyGcp } from './gcp.ts';
import { classifyGithub } from './github.ts';
import { classifyGitlab } from './gitlab.ts';
import { classifyKubernetes } from './kubernetes.ts';
import { classifyLinear } from './linear.ts';
import { anthropic, azure, google, ollama, openai, openrouter } from './model-api.ts';
import { classifyDownloads, classifyNpm, classifyOci } from './packages.ts';
import type { Provider } from './provider.ts';
import { classifySlack } from './slack.ts';
import { isVertexHost, vertexInference } from './vertex.ts';

/** Every provider that `providers:` in the config may name. */
export const PROVIDERS = {
  anthropic: { ...anthropic, docs: 'models, files, batches, keys', hosts: ['api.anthropic.com'] },
  aws: {
    ...{ classify: classifyAws, inferenceOf: bedrockInference, models: isBedrockHost, veiledPaths: true },
    docs: 'operations by service, of every published API; models of Bedrock',
    hosts: ['*.amazonaws.com', '*.amazonaws.com.cn', '*.api.aws'],
  },
  azure: {
    ...azure,
    docs: 'models of Azure OpenAI',
    hosts: ['*.openai.azure.com', '*.services.ai.azure.com', '*.cognitiveservices.azure.com'],
  },
  bitbucket: {
    classify: classifyBitbucket,
    docs: 'git; its API by method',
    hosts: ['bitbucket.org', 'api.bitbucket.org'],
  },
  cargo: { classify: classifyDownloads, docs: 'downloads of a registry', hosts: [] },
  datadog: {
    classify: classifyDatadog,
    docs: 'metrics, logs, monitors; searches by POST are reads',
    hosts: [
      ...['api.datadoghq.com', 'api.us3.datadoghq.com', 'api.us5.datadoghq.com', 'api.ap1.datadoghq.com'],
      ...['api.ap2.datadoghq.com', 'api.datadoghq.eu', 'api.ddog-gov.com'],
    ],
  },
  gcp: {
    ...{ classify: classifyGcp, inferenceOf: vertexInference, models: isVertexHost, veiledPaths: true },
    docs: 'methods of the REST APIs; models of Vertex',
    hosts: ['*.googleapis.com'],
  },
  git: { classify: classifyPlainGit, docs: 'git over HTTPS: fetch, push, branches', hosts: [] },
  github: {
    classify: classifyGithub,
    veiledPaths: true,
    docs: 'git, REST and GraphQL operations, uploads',
    hosts: [
      ...['api.github.com', 'github.com', 'gist.github.com', 'uploads.github.com', 'codeload.github.com'],
      ...['*.githubusercontent.com', '*.ghe.com'],
    ],
  },
  gitlab: {
    classify: classifyGitlab,
    veiledPaths: true,
    docs: 'git, REST and GraphQL operations',
    hosts: ['gitlab.com'],
  },
  go: { classify: classifyDownloads, docs: 'downloads of a module proxy', hosts: [] },
  google: { ...google, docs: 'models of Gemini', hosts: ['generativelanguage.googleapis.com'] },
  kubernetes: {
    classify: classifyKubernetes,
    docs: 'verbs by method and path; exec, attach and port-forward are writes',
    hosts: ['*.eks.amazonaws.com', '*.azmk8s.io', '*.gke.goog'],
  },
  linear: {
    classify: classifyLinear,
    docs: 'GraphQL: queries read, mutations write',
    hosts: ['api.linear.app', 'uploads.linear.app'],
  },
  maven: { classify: classifyDownloads, docs: 'downloads of a repository', hosts: [] },
  npm: { classify: classifyNpm, veiledPaths: true, docs: 'downloads, audits, publishing', hosts: [] },
  oci: { classify: classifyOci, docs: 'pulls and pushes of images', hosts: [] },
  ollama: { ...ollama, docs: 'models on a host of your own', hosts: [] },
  openai: {
    ...openai,
    docs: 'models, files, batches, keys',
    hosts: [
      ...[
        'api.openai.com',
        'us.api.openai.com',
        'eu.api.openai.com',
        'au.api.openai.com',
        'ca.api.openai.com',
      ],
      ...['jp.api.openai.com', 'in.api.openai.com', 'sg.api.openai.com', 'kr.api.openai.com'],
      ...['gb.api.openai.com', 'ae.api.openai.com', 'chatgpt.com'],
    ],
  },
  openrouter: { ...openrouter, docs: 'models of many makers', hosts: ['openrouter.ai'] },
  pypi: { classify: classifyDownloads, docs: 'downloads of an index', hosts: [] },
  slack: {
    classify: classifySlack,
    docs: 'methods of the Web API, whatever the HTTP method; webhooks write',
    hosts: ['slack.com', '*.slack.com'],
  },
} as const satisfies Readonly<Record<ProviderName, Provider>>;

const ALL: readonly (readonly [name: string, provider: Provider])[] = Object.entries(PROVIDERS);
const MODEL_APIS: ReadonlySet<string> = new Set(
  ALL.filter(([, { models }]) => models === 'every-host').map(([name]) => name),
);
const HOSTS_WITH_MODELS = ALL.flatMap(([, { models }]) => (typeof models === 'function' ? [models] : []));

/** Whether a host has models, by what its provider says of itself; whatever it is asked. */
export function hasModels(provider: string | undefined, host: string): boolean {
  if (provider === undefined) return false;
  return MODEL_APIS.has(provider) || HOSTS_WITH_MODELS.some((knows) => knows(host));
}
