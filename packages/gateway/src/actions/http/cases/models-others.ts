import { friendly, type HttpCase, hostile } from './case.ts';
import {
  asked,
  BEDROCK,
  EVIL,
  GEMINI,
  geminiPart,
  INFERENCE,
  lent,
  many,
  OLLAMA,
  READ,
  SECRET,
  said,
  told,
  VERTEX,
  WRITE,
} from './model-case.ts';

export const OTHER_MODEL_CASES: readonly HttpCase[] = [
  ...many(friendly, GEMINI, INFERENCE, {
    Gemini: told,
    'Gemini with functions': {
      ...told,
      systemInstruction: { parts: [{ text: EVIL }] },
      tools: [{ functionDeclarations: [{ name: 'f', parameters: { url: EVIL } }] }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      generationConfig: { temperature: 1 },
      safetySettings: [],
    },
    'Gemini in the other spelling': {
      contents: [
        {
          parts: [
            { inline_data: { mime_type: 'image/png', data: 'aa' } },
            { function_response: { name: 'f', response: {} } },
          ],
        },
      ],
      system_instruction: { parts: [{ text: 'a' }] },
      tools: [{ function_declarations: [] }],
    },
  }),
  ...many(friendly, GEMINI, INFERENCE, {
    'Gemini with one content and one part': { contents: { role: 'user', parts: { text: 'hi' } } },
    'Gemini with one part': {
      contents: [{ parts: { text: 'hi' } }],
      systemInstruction: { parts: { text: 'a' } },
    },
    'Gemini with one tool': { ...told, tools: { functionDeclarations: [{ name: 'f' }] } },
    'Gemini with a picture': geminiPart({ inlineData: { mimeType: 'image/png', data: 'aa' } }),
  }),
  ...many(hostile, GEMINI, WRITE, {
    'one part that is a file': { contents: { parts: { fileData: { fileUri: EVIL } } } },
    'one tool that searches': { ...told, tools: { googleSearch: {} } },
    'one content that nobody knows': { contents: { parts: { text: 'a' }, toolCall: {} } },
    'an address in what is inline': geminiPart({ inlineData: { mimeType: 'image/png', fileUri: EVIL } }),
  }),
  friendly(
    'Gemini streams',
    `${GEMINI.replace(':generate', ':streamGenerate')}?alt=sse`,
    INFERENCE,
    lent(told),
  ),
  ...many(hostile, GEMINI, WRITE, {
    'a search': { ...told, tools: [{ googleSearch: {} }] },
    'a search in the other spelling': { ...told, tools: [{ google_search: {} }] },
    'an older search': { ...told, tools: [{ google_search_retrieval: {} }] },
    addresses: { ...told, tools: [{ url_context: {} }] },
    'code that runs there': { ...told, tools: [{ codeExecution: {} }] },
    servers: { ...told, tools: [{ mcpServers: [{ name: 'x' }] }] },
    'a search in files': { ...told, tools: [{ fileSearch: {} }] },
    'a map': { ...told, tools: [{ googleMaps: {} }] },
    'functions and a search in one tool': {
      ...told,
      tools: [{ functionDeclarations: [], googleSearch: {} }],
    },
    'a file from an address': geminiPart({ fileData: { fileUri: EVIL } }),
    'a file in the other spelling': geminiPart({ file_data: { file_uri: 'gs://b/o' } }),
    'a file in the answer of a function': geminiPart({
      functionResponse: { name: 'f', parts: [{ fileData: { fileUri: EVIL } }] },
    }),
    'what was kept': { ...told, cachedContent: 'cachedContents/1' },
    'a part that nobody knows': geminiPart({ toolCall: {} }),
  }),
  friendly('Ollama', `POST ${OLLAMA}/api/chat`, INFERENCE, {
    body: JSON.stringify({ ...said, max_tokens: undefined }),
  }),
  friendly('Ollama generates', `POST ${OLLAMA}/api/generate`, INFERENCE, {
    body: '{"model":"llama3","prompt":"a","stream":false}',
  }),
  friendly('Ollama as OpenAI', `POST ${OLLAMA}/v1/chat/completions`, INFERENCE, {
    body: JSON.stringify(said),
  }),
  friendly('Ollama lists', `GET ${OLLAMA}/api/tags`, READ),
  hostile('[NE-11] Ollama in the cloud', `POST ${OLLAMA}/api/chat`, WRITE, {
    body: '{"model":"gpt-oss:120b-cloud","messages":[]}',
  }),
  hostile('[NE-11] Ollama in the cloud, with a blank behind it', `POST ${OLLAMA}/api/chat`, WRITE, {
    body: '{"model":"gpt-oss:120b-cloud ","messages":[]}',
  }),
  ...['chat/completions', 'responses', 'messages', 'embeddings', 'completions'].map((path) =>
    hostile(`[NE-11] Ollama in the cloud as ${path}`, `POST ${OLLAMA}/v1/${path}`, WRITE, {
      body: '{"model":"x:cloud","messages":[]}',
    }),
  ),
  hostile('[NE-11] Ollama with something new', `POST ${OLLAMA}/api/chat`, WRITE, {
    body: '{"model":"a","messages":[],"web_search":true}',
  }),
  ...[
    'POST https://acme.openai.azure.com/openai/deployments/d/chat/completions?api-version=1',
    'POST https://acme.services.ai.azure.com/models/chat/completions',
    'POST https://acme.openai.azure.com/openai/v1/responses',
  ].map((request) =>
    hostile(
      '[NE-11] a host that any customer can have',
      request,
      WRITE,
      lent(request.endsWith('responses') ? asked : said),
    ),
  ),
  friendly(
    'a host of Azure that the config names',
    'POST https://mine.openai.azure.com/openai/deployments/d/chat/completions?api-version=1',
    INFERENCE,
    lent(said),
  ),
  hostile(
    '[NE-11] a host below a pattern of the config',
    'POST https://x.models.example/v1/messages',
    WRITE,
    lent(said),
  ),
  friendly('Bedrock converses', `${BEDROCK}/anthropic.claude/converse`, INFERENCE, {
    ...lent({
      messages: [
        { role: 'user', content: [{ text: 'a' }, { image: { format: 'png', source: { bytes: 'aa' } } }] },
      ],
      toolConfig: { tools: [{ toolSpec: {} }] },
    }),
  }),
  friendly('Bedrock invokes Claude', `${BEDROCK}/eu.anthropic.claude-v1%3A0/invoke`, INFERENCE, {
    ...lent({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 1, messages: [] }),
  }),
  ...many(hostile, `${BEDROCK}/anthropic.claude/converse`, WRITE, {
    'an object in a bucket': {
      messages: [
        {
          role: 'user',
          content: [{ document: { format: 'pdf', source: { s3Location: { uri: 's3://b/o' } } } }],
        },
      ],
    },
    'an object in the answer of a tool': {
      messages: [
        { role: 'user', content: [{ toolResult: { content: [{ image: { source: { s3Location: {} } } }] } }] },
      ],
    },
    'a tool of the provider': {
      messages: [],
      toolConfig: { tools: [{ systemTool: { name: 'nova_grounding' } }] },
    },
    'what goes to the model unseen': { messages: [], additionalModelRequestFields: { mcp_servers: [1] } },
    'a prompt with variables': { promptVariables: {} },
  }),
  friendly('Bedrock embeds', `${BEDROCK}/amazon.titan-embed-text-v2%3A0/invoke`, INFERENCE, {
    ...lent({ inputText: 'a', dimensions: 512, normalize: true, embeddingTypes: ['float'] }),
  }),
  friendly('Bedrock embeds a picture', `${BEDROCK}/amazon.titan-embed-image-v1/invoke`, INFERENCE, {
    ...lent({ inputText: 'a', inputImage: 'iVBORw0KGgo=', embeddingConfig: { outputEmbeddingLength: 256 } }),
  }),
  friendly('Bedrock embeds with Cohere', `${BEDROCK}/us.cohere.embed-english-v3/invoke`, INFERENCE, {
    ...lent({ texts: ['a'], input_type: 'search_document' }),
  }),
  hostile(
    '[NE-11] an embedding of a picture elsewhere',
    `${BEDROCK}/amazon.titan-embed-image-v1/invoke`,
    WRITE,
    {
      ...lent({ inputImage: EVIL }),
    },
  ),
  hostile('[NE-11] an embedding with something new', `${BEDROCK}/amazon.titan-embed-text-v2/invoke`, WRITE, {
    ...lent({ inputText: 'a', s3Location: { uri: 's3://b/o' } }),
  }),
  ...many(hostile, `${BEDROCK}/anthropic.claude/converse`, WRITE, {
    'an object where a picture is looked at first': {
      messages: [
        {
          role: 'user',
          content: [{ guardContent: { image: { format: 'png', source: { s3Location: {} } } } }],
        },
      ],
    },
  }),
  friendly(
    'Vertex in a region of its own',
    `${VERTEX.replace('us-central1-aiplatform.googleapis.com', 'aiplatform.us.rep.googleapis.com')}/google/models/g:generateContent`,
    INFERENCE,
    lent(told),
  ),
  hostile(
    '[NE-11] a model whose requests nobody knows',
    `${BEDROCK}/meta.llama3/invoke`,
    WRITE,
    lent({ prompt: 'a' }),
  ),
  hostile(
    '[NE-11] a prompt that is kept',
    `${BEDROCK}/arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Aprompt%2FX/converse`,
    WRITE,
    lent({ messages: [] }),
  ),
  friendly('Vertex', `${VERTEX}/google/models/g:generateContent`, INFERENCE, lent(told)),
  friendly('Claude at Vertex', `${VERTEX}/anthropic/models/c:streamRawPredict`, INFERENCE, {
    ...lent({ anthropic_version: 'vertex-2023-10-16', max_tokens: 1, messages: [] }),
  }),
  hostile('[NE-11] a search at Vertex', `${VERTEX}/google/models/g:generateContent`, WRITE, {
    ...lent({ ...told, tools: [{ enterpriseWebSearch: {} }] }),
  }),
  hostile(
    '[NE-11] a model whose requests nobody knows',
    `${VERTEX}/meta/models/l:rawPredict`,
    WRITE,
    lent({ instances: [] }),
  ),
  hostile('[NE-11] a prediction', `${VERTEX}/google/models/i:predict`, WRITE, lent({ instances: [] })),
  hostile('a batch', 'POST https://api.anthropic.com/v1/messages/batches', WRITE),
  hostile('a file', 'POST https://api.anthropic.com/v1/files', WRITE),
  hostile('an organisation', 'GET https://api.anthropic.com/v1/organizations/api_keys', SECRET),
  hostile('what is not published', 'POST https://api.anthropic.com/v1/shell', SECRET),
  hostile('inference as PUT', 'PUT https://api.anthropic.com/v1/messages', SECRET),
  hostile('inference with an override', 'POST https://api.anthropic.com/v1/messages?_method=DELETE', SECRET),
  hostile('inference over a socket', 'GET wss://api.openai.com/v1/realtime', 'write custom:http critical'),
  hostile(
    'telemetry of the same host',
    'POST https://api.anthropic.com/api/event_logging/batch',
    'write custom:http high',
    { quiet: true },
  ),
  hostile('a fine-tune', 'POST https://api.openai.com/v1/fine_tuning/jobs', WRITE),
  hostile('a file at OpenAI', 'POST https://api.openai.com/v1/files', WRITE),
  hostile('keys of OpenAI', 'GET https://api.openai.com/v1/organization/admin_api_keys', SECRET),
  hostile('the rest of ChatGPT', 'GET https://chatgpt.com/backend-api/conversations', SECRET),
  hostile('a Gemini file', 'POST https://generativelanguage.googleapis.com/v1beta/files', WRITE),
  hostile(
    'a Gemini verb that is not on the list',
    'POST https://generativelanguage.googleapis.com/v1beta/models/g:batchGenerateContent',
    SECRET,
  ),
  hostile('a key of OpenRouter', 'POST https://openrouter.ai/api/v1/keys', SECRET),
  hostile('Ollama pulls', `POST ${OLLAMA}/api/pull`, WRITE),
  hostile('Ollama deletes', `DELETE ${OLLAMA}/api/delete`, WRITE),
  hostile('Ollama pushes', `POST ${OLLAMA}/api/push`, WRITE),
  hostile('another service at that address', 'POST http://127.0.0.1:8080/api/chat', 'write custom:http high'),
];
