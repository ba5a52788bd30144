import { type Finding, read, secret, unknown, write } from '../finding.ts';
import type { Check } from '../models/check.ts';
import { geminiContent, geminiEmbedding, geminiEmbeddings, geminiTokens } from '../models/gemini-body.ts';
import type { Inference } from '../models/inference.ts';
import { compilePathTable } from '../path-table.ts';
import type { RequestView } from '../request-view.ts';
import type { ModelApi } from './model-operations.ts';
import { ANTHROPIC, AZURE_OPENAI, GEMINI, OLLAMA, OPENAI, OPENROUTER } from './model-operations.ts';
import type { Classifier } from './provider.ts';

// Keys, organisations, log-ins.
const SECRETS = /\/(?:api_keys|admin_api_keys|organization|organizations|keys|oauth|token)(?:\/|$)/;

interface ModelProvider extends Classifier {
  readonly models: 'every-host';
  readonly classify: (view: RequestView) => Finding;
  readonly inferenceOf: (view: RequestView) => Inference | undefined;
}

function compileModelApi(api: ModelApi): ModelProvider {
  const inference = compilePathTable(Object.keys(api.inference));
  const reads = compilePathTable(api.reads);
  const writes = compilePathTable(api.writes);
  return {
    models: 'every-host',
    inferenceOf({ method, segments }) {
      const template = method === 'POST' ? inference(segments) : undefined;
      const check = template === undefined ? undefined : api.inference[template];
      return check === undefined ? undefined : { operation: `POST ${template}`, check };
    },
    classify(view) {
      const { method, segments } = view;
      if (SECRETS.test(view.path)) return secret(`${method} ${view.path}`);
      if (view.isSafe) {
        const template = method === 'OPTIONS' ? view.path : reads(segments);
        return template === undefined ? unknown('model operation') : read(`${method} ${template}`);
      }
      const template = writes(segments);
      if (template === undefined) return unknown('model operation');
      return write(`${method} ${template}`);
    },
  };
}

const plainAnthropic = compileModelApi(ANTHROPIC);
const plainGemini = compileModelApi(GEMINI);
const plainOpenrouter = compileModelApi(OPENROUTER);

/** Anthropic; Claude Code sends its telemetry to the same host. */
export const anthropic: ModelProvider = {
  ...plainAnthropic,
  classify: (view) =>
    view.path.startsWith('/api/event_logging/') && view.method === 'POST'
      ? write('event_logging', 'custom:http', { quiet: true })
      : plainAnthropic.classify(view),
};

export const openai = compileModelApi(OPENAI);
export const azure = compileModelApi(AZURE_OPENAI);
export const ollama: ModelProvider = { ...compileModelApi(OLLAMA), isKeyless: true };

/** OpenRouter: the API below `/api`, a web site beside it. */
export const openrouter: ModelProvider = {
  ...plainOpenrouter,
  classify: (view) =>
    view.isSafe && view.segments[0] !== 'api' ? read('web page') : plainOpenrouter.classify(view),
};

const GEMINI_VERB = /^\/v1(?:alpha|beta)?\/(?:models|tunedModels)\/[^/]+(?::|%3A)([A-Za-z]+)$/;
/** Verbs that run a model. */
export const GEMINI_VERBS: ReadonlyMap<string, Check> = new Map([
  ['generateContent', geminiContent],
  ['streamGenerateContent', geminiContent],
  ['countTokens', geminiTokens],
  ['embedContent', geminiEmbedding],
  ['batchEmbedContents', geminiEmbeddings],
]);

/** Google's Gemini API: `models/NAME:verb`, with a list of verbs that run a model. */
export const google: ModelProvider = {
  models: 'every-host',
  inferenceOf(view) {
    const verb = view.method === 'POST' ? GEMINI_VERB.exec(view.path)?.[1] : undefined;
    if (verb === undefined) return plainGemini.inferenceOf(view);
    const check = GEMINI_VERBS.get(verb);
    return check === undefined ? undefined : { operation: `POST :${verb}`, check };
  },
  // Any other custom verb is not in the list, also as a GET.
  classify: (view) =>
    /(?::|%3A)[^/]*$/.test(view.path) ? unknown('model operation') : plainGemini.classify(view),
};
