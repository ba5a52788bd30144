import { type Finding, read, secret, unknown, write } from '../finding.ts';
import { compilePathTable } from '../path-table.ts';
import type { RequestView } from '../request-view.ts';
import type { ModelApi } from './model-operations.ts';
import { ANTHROPIC, AZURE_OPENAI, GEMINI, OLLAMA, OPENAI, OPENROUTER } from './model-operations.ts';

type ModelClassifier = (view: RequestView) => Finding;

// Keys, organisations, log-ins.
const SECRETS = /\/(?:api_keys|admin_api_keys|organization|organizations|keys|oauth|token)(?:\/|$)/;

function compileModelApi(api: ModelApi): ModelClassifier {
  const inference = compilePathTable(api.inference);
  const reads = compilePathTable(api.reads);
  const writes = compilePathTable(api.writes);
  return (view) => {
    const { method, segments } = view;
    if (method === 'POST') {
      const template = inference(segments);
      if (template !== undefined) return read(`POST ${template}`, 'custom:inference');
    }
    if (SECRETS.test(view.path)) return secret(`${method} ${view.path}`);
    if (view.isSafe) {
      const template = method === 'OPTIONS' ? view.path : reads(segments);
      return template === undefined ? unknown('model operation') : read(`${method} ${template}`);
    }
    const template = writes(segments);
    if (template === undefined) return unknown('model operation');
    return write(`${method} ${template}`);
  };
}

const anthropic = compileModelApi(ANTHROPIC);
const gemini = compileModelApi(GEMINI);
const openrouter = compileModelApi(OPENROUTER);

/** Anthropic; Claude Code sends its telemetry to the same host. */
export const classifyAnthropic: ModelClassifier = (view) =>
  view.path.startsWith('/api/event_logging/') && view.method === 'POST'
    ? write('event_logging', 'custom:http', { quiet: true })
    : anthropic(view);

export const classifyOpenai = compileModelApi(OPENAI);
export const classifyAzureOpenai = compileModelApi(AZURE_OPENAI);
export const classifyOllama = compileModelApi(OLLAMA);

/** OpenRouter: the API below `/api`, a web site beside it. */
export const classifyOpenrouter: ModelClassifier = (view) =>
  view.isSafe && view.segments[0] !== 'api' ? read('web page') : openrouter(view);

const GEMINI_VERB =
  /^\/v1(?:alpha|beta)?\/(?:models|tunedModels)\/[^/]+(?::|%3A)(?:generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents|generateAnswer|predict)$/;

/** Google's Gemini API: `models/NAME:verb`, with a list of verbs that run a model. */
export const classifyGemini: ModelClassifier = (view) => {
  if (view.method === 'POST' && GEMINI_VERB.test(view.path)) {
    return read(`POST :${view.path.split(/:|%3A/).at(-1)}`, 'custom:inference');
  }
  // Any other custom verb is not in the list, also as a GET.
  return /(?::|%3A)[^/]*$/.test(view.path) ? unknown('model operation') : gemini(view);
};
