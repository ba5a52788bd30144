import type { Action } from '@sallyport/protocol';
import { requestOf } from '../../../targets/index.ts';
import { hasModels } from '../providers/index.ts';
import { isMembers } from '../request-body.ts';

/** Hosts of models, with every host below them. What is not here is known by its path and by its body. */
const HOSTS: ReadonlySet<string> = new Set(
  `api.anthropic.com api.openai.com chatgpt.com openrouter.ai groq.com mistral.ai deepseek.com x.ai together.xyz
  together.ai fireworks.ai cohere.ai cohere.com perplexity.ai models.github.ai githubcopilot.com openai.azure.com
  services.ai.azure.com cognitiveservices.azure.com inference.ml.azure.com models.ai.azure.com inference.ai.azure.com
  router.huggingface.co api-inference.huggingface.co endpoints.huggingface.cloud api.replicate.com cerebras.ai
  sambanova.ai integrate.api.nvidia.com ai.api.nvidia.com ai21.com moonshot.ai moonshot.cn minimax.io minimax.chat
  bigmodel.cn z.ai dashscope.aliyuncs.com dashscope-intl.aliyuncs.com volces.com qianfan.baidubce.com siliconflow.cn
  siliconflow.com novita.ai deepinfra.com hyperbolic.xyz baseten.co lepton.ai voyageai.com api.jina.ai stability.ai
  elevenlabs.io deepgram.com assemblyai.com fal.run runpod.ai gateway.ai.cloudflare.com ai-gateway.vercel.sh
  portkey.ai helicone.ai inference.net chutes.ai venice.ai nano-gpt.com api.poe.com upstage.ai reka.ai nebius.com
  nebius.ai friendli.ai kimi.com aleph-alpha.com scaleway.ai ml.cloud.ibm.com opencode.ai
  generativelanguage.googleapis.com aiplatform.googleapis.com cloudcode-pa.googleapis.com
  cloudaicompanion.googleapis.com dialogflow.googleapis.com discoveryengine.googleapis.com`.split(/\s+/),
);
const REGIONAL =
  /^bedrock-(?:agent-)?(?:runtime|mantle|agentcore)[a-z-]*\.|(?:^|[.-])(?:aiplatform|dialogflow)\.(?:[a-z0-9-]+\.rep\.)?googleapis\.com$|^(?:runtime|inference)\.sagemaker\.|^dashscope-[a-z]+\.aliyuncs\.com$/;

/** Paths that nothing but a model has, wherever it runs. */
const PATH =
  /\/(?:chat\/completions|completions|embeddings?|rerank|moderations|images\/generations|audio\/(?:speech|transcriptions|translations)|api\/(?:chat|generate|embed)|invocations|serving-endpoints\/[^/]+|model\/[^/]+\/(?:invoke|converse)[a-z-]*|ai\/run\/.+|v\d[a-z0-9]*\/(?:responses(?:\/\w+)?|messages\/(?:count_tokens|batches)|threads\/[^/]+\/(?:messages|runs)|predictions|complete)|codex\/responses(?:\/\w+)?|openai\/responses|text\/(?:generation|chat)(?:_stream)?|retrieveAndGenerate(?:Stream)?)\/?$|(?::|%3A)(?:\w*[gG]enerate(?:Content|Message|Text|Answer)|countTokens|computeTokens|embed\w*|batchEmbed\w*|\w*[pP]redict)$/;
/** Paths that models have, and others too: a body that says something to a model decides. */
const SHARED_PATH =
  /\/(?:messages?|responses|chat|generate(?:_stream)?|completion|complete|infill|predict|invoke|embed|ask|infer|sessions\/[^/]+\/text)\/?$/i;

const decoder = new TextDecoder();

type Body = Readonly<Record<string, unknown>>;

/**
 * Whether what a request says may be read by a model: it is inference, or goes to an API of models, where a body that is not
 * known to be inference may still be one; or it has the path or the body of one, whoever serves it.
 *
 * `whole`: the body, where it is all at hand; an action may show only its beginning.
 *
 * SECURITY: a model repeats what it was told. What cannot be read to its end may be a prompt [CR-8].
 */
export function runsModel(
  { type, target, input }: Pick<Action, 'type' | 'target' | 'input'>,
  whole?: Uint8Array,
): boolean {
  if (type === 'custom:inference') return true;
  const request = requestOf(target);
  if (request === undefined) return false;
  const { host, provider } = request;
  if (hasModels(provider, host) || isModelHost(host)) return true;
  const path = request.path.replaceAll(/%2F/gi, '/');
  if (PATH.test(path)) return true;
  const isShared = SHARED_PATH.test(path);
  if (whole !== undefined) return saysToModel(decoder.decode(whole), true, isShared);
  const { body } = input;
  const shown = isMembers(body) && typeof body.shown === 'string' ? body.shown : '';
  const isWhole = isMembers(body) && body.complete === true;
  return saysToModel(shown, isWhole, isShared);
}

function isModelHost(host: string): boolean {
  for (let at = 0; at !== -1; at = host.indexOf('.', at + 1))
    if (HOSTS.has(at === 0 ? host : host.slice(at + 1))) return true;
  return REGIONAL.test(host);
}

const FORM = /(?:^|&)(?:prompt|messages|inputs?|contents)=/;
const MODEL_IN_FORM = /(?:^|&)model=/;

function saysToModel(text: string, isWhole: boolean, isSharedPath: boolean): boolean {
  const start = text.trimStart();
  if (start.startsWith('{') || start.startsWith('[')) {
    const parsed = isWhole ? parse(start) : undefined;
    return parsed === undefined || isPrompt(parsed, isSharedPath, 0);
  }
  return FORM.test(text) && (isSharedPath || MODEL_IN_FORM.test(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DEEPEST = 3;
const words = (text: string): readonly string[] => text.split(/\s+/);
/** What nobody but a model is told, and what others are told as well. */
const TOLD = words('prompt input inputs inputText input_text question instructions system');
const SAID = [...TOLD, ...words('query message text texts')];
const SETTINGS = words(
  'max_tokens maxTokens temperature top_p topP stream n_predict max_new_tokens stop generationConfig',
);
const ALONE = words('contents anthropic_version chat_history textGenerationConfig system_instruction');

/** JSON as it is sent to models: messages with roles, or a model and what it is told; also inside of something else. */
function isPrompt(value: unknown, isSharedPath: boolean, depth: number): boolean {
  if (Array.isArray(value))
    return depth < DEEPEST && value.some((one) => isPrompt(one, isSharedPath, depth + 1));
  if (!isMembers(value)) return false;
  const body: Body = value;
  const has = (names: readonly string[]): boolean => names.some((name) => Object.hasOwn(body, name));
  if (has(ALONE) || isConversation(body.messages) || isConversation(body.input)) return true;
  const isModel = typeof (body.model ?? body.modelId ?? body.model_id) === 'string';
  if ((isSharedPath && has(TOLD)) || (has(SAID) && (isModel || has(SETTINGS)))) return true;
  return depth < DEEPEST && Object.values(body).some((one) => isPrompt(one, isSharedPath, depth + 1));
}

/** Who says what: messages between people have no roles. */
function isConversation(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => isMembers(one) && Object.hasOwn(one, 'role'));
}
