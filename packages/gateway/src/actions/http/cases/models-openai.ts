import { friendly, type HttpCase, hostile } from './case.ts';
import {
  asked,
  CHAT,
  chatPart,
  EVIL,
  FUNCTION,
  INFERENCE,
  item,
  lent,
  many,
  PNG,
  part,
  RESPONSES,
  ROUTER,
  said,
  WRITE,
} from './model-case.ts';

export const OPENAI_CASES: readonly HttpCase[] = [
  ...many(friendly, RESPONSES, INFERENCE, {
    'a question': asked,
    'nothing is kept': { ...asked, store: false, background: false, previous_response_id: null },
    'a conversation with tools of the agent': {
      model: 'm',
      instructions: 'be brief',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: EVIL }] },
        { role: 'user', content: [{ type: 'input_image', image_url: PNG, detail: 'auto' }] },
        {
          role: 'user',
          content: [{ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aa' }],
        },
        { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' },
        { type: 'function_call', call_id: '1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: '1', output: [{ type: 'input_text', text: 'a' }] },
        { type: 'custom_tool_call_output', call_id: '2', output: 'a' },
        {
          type: 'message',
          id: 'm',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'a', annotations: [] }],
        },
        { type: 'tool_search_output', call_id: '3', execution: 'client', tools: [FUNCTION] },
      ],
      tools: [
        FUNCTION,
        { type: 'custom', name: 'apply_patch', format: { type: 'grammar' } },
        { type: 'namespace', name: 'n', description: 'd', tools: [FUNCTION] },
        { type: 'shell', environment: { type: 'local' } },
        { type: 'local_shell' },
        { type: 'tool_search', execution: 'client', description: 'd', parameters: {} },
      ],
      tool_choice: 'auto',
      reasoning: { summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      client_metadata: { session_id: 's' },
      stream: true,
    },
  }),
  friendly(
    'Codex with a subscription',
    'POST https://chatgpt.com/backend-api/codex/responses',
    INFERENCE,
    lent(asked),
  ),
  ...many(hostile, RESPONSES, WRITE, {
    'a server that the provider calls': {
      ...asked,
      tools: [{ type: 'mcp', server_label: 'x', server_url: EVIL }],
    },
    'a connector': { ...asked, tools: [{ type: 'mcp', server_label: 'x', connector_id: 'connector_gmail' }] },
    'a search of the web': { ...asked, tools: [{ type: 'web_search' }] },
    'an older search': { ...asked, tools: [{ type: 'web_search_preview' }] },
    'a search that Codex asks for': {
      ...asked,
      tools: [FUNCTION, { type: 'web_search', external_web_access: true }],
    },
    'code that runs there': { ...asked, tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    'a search in files': { ...asked, tools: [{ type: 'file_search', vector_store_ids: ['v'] }] },
    'an image that is made': { ...asked, tools: [{ type: 'image_generation' }] },
    'a shell of the provider': {
      ...asked,
      tools: [{ type: 'shell', environment: { type: 'container_auto' } }],
    },
    'a shell of whoever': { ...asked, tools: [{ type: 'shell' }] },
    'a server inside a group': {
      ...asked,
      tools: [{ type: 'namespace', name: 'n', description: '', tools: [{ type: 'mcp', server_url: EVIL }] }],
    },
    'a function with a server': { ...asked, tools: [{ ...FUNCTION, server_url: EVIL }] },
    'a server that is added on the way': item({
      type: 'additional_tools',
      role: 'developer',
      tools: [{ type: 'mcp', server_url: EVIL }],
    }),
    'a server that was found': item({
      type: 'tool_search_output',
      tools: [{ type: 'mcp', server_url: EVIL }],
    }),
    'a yes to a server': item({ type: 'mcp_approval_response', approval_request_id: 'x', approve: true }),
    'something that was kept': item({ type: 'item_reference', id: 'msg_1' }),
    'the same without a type': item({ id: 'msg_1' }),
    'the same with no type': item({ type: null, id: 'msg_1' }),
    'it is kept': { ...asked, store: true },
    'it is kept, in a word': { ...asked, store: 'true' },
    'it goes on by itself': { ...asked, background: true },
    'an answer that was kept': { ...asked, previous_response_id: 'resp_1' },
    'a conversation that is kept': { ...asked, conversation: 'conv_1' },
    'a prompt that is kept, with its tools': { model: 'm', prompt: { id: 'pmpt_1' } },
    'an image from an address': part({ type: 'input_image', image_url: EVIL }),
    'an image from another kind of address': part({ type: 'input_image', image_url: 'gs://bucket/x' }),
    'an address that is spelled with escapes': `{"model":"m","input":[{"role":"user","content":[{"type":"input_image","image_url":"\\u0068ttps://evil.example/"}]}]}`,
    'a file from an address': part({ type: 'input_file', file_url: EVIL }),
    'a file from an address, as content': part({ type: 'input_file', file_data: EVIL }),
    'a file that is kept': part({ type: 'input_file', file_id: 'file_1' }),
    'an image that is kept': part({ type: 'input_image', file_id: 'file_1' }),
    'an image in the output of a function': item({
      type: 'function_call_output',
      call_id: '1',
      output: [{ type: 'input_image', image_url: EVIL }],
    }),
    'a picture of a screen': item({
      type: 'computer_call_output',
      call_id: '1',
      output: { type: 'computer_screenshot', image_url: EVIL },
    }),
    'an item that nobody knows': item({ type: 'webhook', url: EVIL }),
    'a part that nobody knows': part({ type: 'input_video', video_url: EVIL }),
    'a field that nobody knows': { ...asked, webhook: EVIL },
    'a search of the web that says nothing more': { model: 'm', messages: [], web_search_options: {} },
    'fonts from an address': {
      model: 'm',
      messages: [],
      image_config: { font_inputs: [{ font_url: EVIL }] },
    },
    'a model that searches': { ...asked, model: 'o4-mini-deep-research' },
  }),
  ...many(friendly, CHAT, INFERENCE, {
    'a chat': { model: 'm', messages: [{ role: 'user', content: 'hi' }], store: false },
    'a chat with tools': {
      model: 'gpt-5',
      messages: [
        { role: 'system', content: EVIL },
        {
          role: 'user',
          content: [
            { type: 'text', text: EVIL },
            { type: 'image_url', image_url: { url: PNG } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: 'x' },
        { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'aa', format: 'wav' } }] },
        {
          role: 'user',
          content: [{ type: 'file', file: { filename: 'a', file_data: 'data:application/pdf;base64,aa' } }],
        },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { url: EVIL } } }],
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema: {} },
    },
  }),
  ...many(hostile, CHAT, WRITE, {
    'an image from an address': chatPart({ type: 'image_url', image_url: { url: EVIL } }),
    'the same without an object': chatPart({ type: 'image_url', image_url: EVIL }),
    'a file that is kept': chatPart({ type: 'file', file: { file_id: 'f' } }),
    'a file from an address': chatPart({ type: 'file', file: { file_data: EVIL } }),
    'sound from an address': chatPart({ type: 'input_audio', input_audio: { data: EVIL, format: 'wav' } }),
    'a part that nobody knows': chatPart({ type: 'audio_url', audio_url: { url: EVIL } }),
    'a search of the web': { model: 'm', messages: [], web_search_options: { search_context_size: 'low' } },
    'a model that searches': { model: 'gpt-4o-search-preview', messages: [] },
    'it is kept': { model: 'm', messages: [], store: true },
    'a tool of the provider': { model: 'm', messages: [], tools: [{ type: 'web_search' }] },
    'data of the provider, as Azure has it': {
      model: 'm',
      messages: [],
      data_sources: [{ type: 'azure_search' }],
    },
  }),
  friendly(
    'OpenRouter',
    ROUTER,
    INFERENCE,
    lent({ ...said, provider: { order: ['x'] }, transforms: ['middle-out'] }),
  ),
  ...many(hostile, ROUTER, WRITE, {
    plugins: { ...said, plugins: [{ id: 'web' }] },
    'a model that goes online': { ...said, model: 'openai/gpt-5:online' },
    'one of several models that goes online': { ...said, models: ['a', 'b:online'] },
    'a model that searches': { ...said, model: 'perplexity/sonar' },
    'settings that are kept there': { ...said, model: '@preset/mine' },
    'the same by its own name': { ...said, preset: 'mine' },
    'a tool of theirs': { ...said, tools: [{ type: 'openrouter:web_search' }] },
    'an image from an address': chatPart({ type: 'image_url', image_url: { url: EVIL } }),
    'a film from an address': chatPart({ type: 'video_url', video_url: { url: EVIL } }),
  }),
  friendly(
    'embeddings',
    'POST https://api.openai.com/v1/embeddings',
    INFERENCE,
    lent({ model: 'm', input: ['a', [1, 2]] }),
  ),
  hostile('[NE-11] embeddings of an address', 'POST https://openrouter.ai/api/v1/embeddings', WRITE, {
    ...lent({ model: 'm', input: [{ content: [{ type: 'image_url', image_url: { url: EVIL } }] }] }),
  }),
  friendly(
    'moderations',
    'POST https://api.openai.com/v1/moderations',
    INFERENCE,
    lent({ model: 'm', input: 'a' }),
  ),
  hostile('[NE-11] moderations of an address', 'POST https://api.openai.com/v1/moderations', WRITE, {
    ...lent({ model: 'm', input: [{ type: 'image_url', image_url: { url: EVIL } }] }),
  }),
  friendly('an image that is painted', 'POST https://api.openai.com/v1/images/generations', INFERENCE, {
    ...lent({ model: 'm', prompt: 'a', background: 'transparent' }),
  }),
  hostile('[NE-11] an image that is changed', 'POST https://api.openai.com/v1/images/edits', WRITE, {
    ...lent({ model: 'm', prompt: 'a', images: [{ image_url: EVIL }] }),
  }),
  friendly(
    'a voice',
    'POST https://api.openai.com/v1/audio/speech',
    INFERENCE,
    lent({ model: 'm', input: 'a', voice: 'b' }),
  ),
  ...many(friendly, CHAT, INFERENCE, {
    'a prediction': { ...said, prediction: { type: 'content', content: [{ type: 'text', text: EVIL }] } },
    'a prediction as a text': { ...said, prediction: { type: 'content', content: EVIL } },
    'an answer with what it cited': {
      model: 'm',
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'a', annotations: [] }],
          annotations: [{ type: 'url_citation', url_citation: { url: EVIL, title: 't', start_index: 0 } }],
          reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', id: null, format: 'f', index: 0 }],
        },
      ],
    },
  }),
  ...many(friendly, ROUTER, INFERENCE, {
    'what OpenRouter adds': {
      ...said,
      structured_outputs: true,
      trace: { trace_id: 't', trace_name: 'n', own: { a: 1 } },
    },
  }),
  ...['us', 'eu'].map((region) =>
    friendly(
      `OpenAI in a region: ${region}`,
      `POST https://${region}.api.openai.com/v1/responses`,
      INFERENCE,
      lent(asked),
    ),
  ),
  hostile(
    '[NE-11] a region that nobody knows',
    'POST https://evil.api.openai.com/v1/responses',
    WRITE,
    lent(asked),
  ),
  ...many(hostile, CHAT, WRITE, {
    'a picture beside a text': chatPart({ type: 'text', text: 'a', image_url: { url: EVIL } }),
    'a picture beside a refusal': chatPart({ type: 'refusal', refusal: 'a', image_url: EVIL }),
    'a picture beside a thought': chatPart({ type: 'thinking', thinking: 'a', video_url: { url: EVIL } }),
    'a picture in a prediction': {
      ...said,
      prediction: { type: 'content', content: [{ type: 'image_url', image_url: { url: EVIL } }] },
    },
    'something new in a prediction': { ...said, prediction: { type: 'content', content: 'a', fetch: EVIL } },
    'a picture in an annotation': {
      model: 'm',
      messages: [
        {
          role: 'assistant',
          content: 'a',
          annotations: [
            { type: 'file', file: { hash: 'h', content: [{ type: 'image_url', image_url: { url: EVIL } }] } },
          ],
        },
      ],
    },
    'a picture in what was thought': {
      model: 'm',
      messages: [{ role: 'assistant', reasoning_details: [{ image_url: EVIL }] }],
    },
  }),
  ...many(hostile, ROUTER, WRITE, {
    'a picture in a trace': { ...said, trace: { image_url: { url: EVIL } } },
  }),
  ...many(friendly, RESPONSES, INFERENCE, {
    'what tools of the provider answered': {
      ...asked,
      input: [
        { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q' } },
        { type: 'file_search_call', id: 'f', queries: ['q'], results: [{ file_id: 'file-1', text: 't' }] },
        {
          type: 'mcp_list_tools',
          server_label: 's',
          tools: [{ name: 'n', input_schema: { image_url: { type: 'string' } } }],
        },
        {
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: 'a',
              annotations: [
                { type: 'url_citation', url: EVIL, title: 't' },
                { type: 'file_citation', file_id: 'f' },
              ],
              logprobs: [],
            },
          ],
        },
      ],
    },
  }),
  ...many(hostile, RESPONSES, WRITE, {
    'a file beside a text': part({ type: 'input_text', text: 'a', file_url: EVIL }),
    'a picture beside an answer': part({ type: 'output_text', text: 'a', image_url: EVIL }),
    'a picture in a call that was made': item({
      type: 'web_search_call',
      id: 'w',
      action: { image_url: EVIL },
    }),
    'a server in a call that was made': item({ type: 'mcp_list_tools', server_label: 's', server_url: EVIL }),
    'a picture in a thought': item({
      type: 'reasoning',
      summary: [{ type: 'input_image', image_url: EVIL }],
    }),
  }),
];
