import { anthropicComplete, anthropicMessages } from '../models/anthropic-body.ts';
import {
  openaiChat,
  openaiCompletions,
  openaiEmbeddings,
  openaiImages,
  openaiModerations,
  openaiSpeech,
} from '../models/chat-body.ts';
import { type Check, never } from '../models/check.ts';
import { ofLocalModel, ollamaChat, ollamaEmbed, ollamaGenerate, ollamaShow } from '../models/ollama-body.ts';
import { openaiResponses } from '../models/responses-body.ts';

const unread = never('a body that is not read');

/** What a model API publishes, as path templates. What is in none of the lists is not known. */
export interface ModelApi {
  /** POSTs that run a model, and what may stand in their bodies */
  readonly inference: Readonly<Record<string, Check>>;
  /** GETs that only answer */
  readonly reads: readonly string[];
  /** files, batches, fine-tunes: writes that are published */
  readonly writes: readonly string[];
}

const words = (text: string, prefix = ''): readonly string[] =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => prefix + word);

/** The same paths below a prefix. */
const below = (prefix: string, table: Readonly<Record<string, Check>>): Readonly<Record<string, Check>> =>
  Object.fromEntries(Object.entries(table).map(([path, check]) => [prefix + path, check]));

// What comes as a form of parts (`images/edits`, `audio/transcriptions`) is not read, so nothing is known of it.
const OPENAI_INFERENCE: Readonly<Record<string, Check>> = {
  'chat/completions': openaiChat,
  completions: openaiCompletions,
  responses: openaiResponses,
  'responses/compact': openaiResponses,
  'responses/input_tokens': openaiResponses,
  embeddings: openaiEmbeddings,
  moderations: openaiModerations,
  'images/generations': openaiImages,
  'images/edits': unread,
  'images/variations': unread,
  'audio/speech': openaiSpeech,
  'audio/transcriptions': unread,
  'audio/translations': unread,
};
const OPENAI_WRITES = `
  assistants/** batches/** chat/completions/** containers/** conversations/** evals/** files/** fine_tuning/**
  models/** realtime/** responses/** threads/** uploads/** vector_stores/** videos/**
`;
const OPENAI_READS = `
  models models/{id} files files/{id} files/{id}/content batches batches/{id} fine_tuning/jobs/** responses/{id}/**
  vector_stores/** assistants/** threads/** conversations/** chat/completions/** evals/** containers/** videos/**
`;

export const OPENAI: ModelApi = {
  inference: {
    ...below('/v1/', OPENAI_INFERENCE),
    '/backend-api/codex/responses': openaiResponses,
    '/backend-api/codex/responses/compact': openaiResponses,
  },
  reads: [...words(OPENAI_READS, '/v1/'), '/backend-api/codex/models'],
  writes: words(OPENAI_WRITES, '/v1/'),
};

export const ANTHROPIC: ModelApi = {
  inference: {
    '/v1/messages': anthropicMessages,
    '/v1/messages/count_tokens': anthropicMessages,
    '/v1/complete': anthropicComplete,
  },
  // The root and `/api/hello` are how Claude Code finds out whether it is online.
  reads: [
    '/',
    '/api/hello',
    ...words('models models/{id} files files/{id} files/{id}/content messages/batches/** skills/**', '/v1/'),
  ],
  writes: words('files/** messages/batches/** skills/** organizations/**', '/v1/'),
};

/** What speaks the APIs of others. */
const COMPATIBLE: Readonly<Record<string, Check>> = {
  'chat/completions': openaiChat,
  completions: openaiCompletions,
  embeddings: openaiEmbeddings,
  responses: openaiResponses,
  messages: anthropicMessages,
};

export const OPENROUTER: ModelApi = {
  inference: below('/api/v1/', COMPATIBLE),
  reads: words(
    'models/** generation credits key providers/** endpoints/** parameters/** activity',
    '/api/v1/',
  ),
  writes: words('keys/** auth/** credits/**', '/api/v1/'),
};

export const AZURE_OPENAI: ModelApi = {
  inference: {
    ...below('/openai/v1/', OPENAI_INFERENCE),
    ...below('/openai/deployments/{deployment}/', OPENAI_INFERENCE),
    '/openai/responses': openaiResponses,
    '/models/chat/completions': openaiChat,
    '/models/embeddings': openaiEmbeddings,
    '/anthropic/v1/messages': anthropicMessages,
    '/anthropic/v1/messages/count_tokens': anthropicMessages,
  },
  reads: [
    ...words(OPENAI_READS, '/openai/v1/'),
    ...words('models/** deployments/** files/** batches/** fine_tuning/**', '/openai/'),
  ],
  writes: [
    ...words(OPENAI_WRITES, '/openai/v1/'),
    ...words('files/** batches/** fine_tuning/** deployments/**', '/openai/'),
  ],
};

export const OLLAMA: ModelApi = {
  inference: {
    '/api/generate': ollamaGenerate,
    '/api/chat': ollamaChat,
    '/api/embed': ollamaEmbed,
    '/api/embeddings': ollamaEmbed,
    '/api/show': ollamaShow,
    ...below(
      '/v1/',
      Object.fromEntries(Object.entries(COMPATIBLE).map(([path, check]) => [path, ofLocalModel(check)])),
    ),
  },
  reads: [
    '/',
    '/api/tags',
    '/api/ps',
    '/api/version',
    '/v1/models',
    '/v1/models/{name}',
    '/api/blobs/{digest}',
  ],
  writes: words('pull push create copy delete blobs/{digest}', '/api/'),
};

/** Google's Gemini API; its models take `:verb`, which a template does not show. */
export const GEMINI: ModelApi = {
  inference: {
    '/v1beta/openai/chat/completions': openaiChat,
    '/v1beta/openai/embeddings': openaiEmbeddings,
    '/v1beta/openai/images/generations': openaiImages,
  },
  reads: ['v1', 'v1beta'].flatMap((version) =>
    words(
      'models/** files/** tunedModels/** cachedContents/** operations/** batches/** openai/models/**',
      `/${version}/`,
    ),
  ),
  writes: ['v1', 'v1beta'].flatMap((version) =>
    words(
      'files/** tunedModels/** cachedContents/** corpora/** batches/** models/** operations/**',
      `/${version}/`,
    ),
  ),
};
