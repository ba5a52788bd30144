/** What a model API publishes, as path templates. What is in none of the lists is not known. */
export interface ModelApi {
  /** POSTs that run a model */
  readonly inference: readonly string[];
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

const OPENAI_INFERENCE = `
  chat/completions completions responses responses/compact responses/input_tokens embeddings moderations
  images/generations images/edits images/variations audio/speech audio/transcriptions audio/translations
`;
const OPENAI_WRITES = `
  assistants/** batches/** chat/completions/** containers/** conversations/** evals/** files/** fine_tuning/**
  models/** realtime/** responses/** threads/** uploads/** vector_stores/** videos/**
`;
const OPENAI_READS = `
  models models/{id} files files/{id} files/{id}/content batches batches/{id} fine_tuning/jobs/** responses/{id}/**
  vector_stores/** assistants/** threads/** conversations/** chat/completions/** evals/** containers/** videos/**
`;

export const OPENAI: ModelApi = {
  inference: [
    ...words(OPENAI_INFERENCE, '/v1/'),
    '/backend-api/codex/responses',
    '/backend-api/codex/responses/compact',
  ],
  reads: [...words(OPENAI_READS, '/v1/'), '/backend-api/codex/models'],
  writes: words(OPENAI_WRITES, '/v1/'),
};

export const ANTHROPIC: ModelApi = {
  inference: ['/v1/messages', '/v1/messages/count_tokens', '/v1/complete'],
  // The root and `/api/hello` are how Claude Code finds out whether it is online.
  reads: [
    '/',
    '/api/hello',
    ...words('models models/{id} files files/{id} files/{id}/content messages/batches/** skills/**', '/v1/'),
  ],
  writes: words('files/** messages/batches/** skills/** organizations/**', '/v1/'),
};

export const OPENROUTER: ModelApi = {
  inference: words('chat/completions completions embeddings responses messages', '/api/v1/'),
  reads: words(
    'models/** generation credits key providers/** endpoints/** parameters/** activity',
    '/api/v1/',
  ),
  writes: words('keys/** auth/** credits/**', '/api/v1/'),
};

export const AZURE_OPENAI: ModelApi = {
  inference: [
    ...words(OPENAI_INFERENCE, '/openai/v1/'),
    ...words(OPENAI_INFERENCE, '/openai/deployments/{deployment}/'),
    '/openai/responses',
    '/models/chat/completions',
    '/models/embeddings',
    '/anthropic/v1/messages',
    '/anthropic/v1/messages/count_tokens',
  ],
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
  inference: [
    ...words('generate chat embed embeddings show', '/api/'),
    ...words('chat/completions completions embeddings responses messages', '/v1/'),
  ],
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
  inference: [
    ...words('chat/completions embeddings', '/v1beta/openai/'),
    ...words('images/generations', '/v1beta/openai/'),
  ],
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
