import { friendly, type HttpCase, hostile } from './case.ts';
import {
  anthropicMore,
  block,
  EVIL,
  INFERENCE,
  lent,
  MESSAGES,
  many,
  READ,
  said,
  WRITE,
} from './model-case.ts';

export const ANTHROPIC_CASES: readonly HttpCase[] = [
  ...many(friendly, MESSAGES, INFERENCE, {
    'a message': said,
    'a message to a beta': { ...said, stream: true, temperature: 1, metadata: { user_id: 'u' } },
    'nothing of what the provider could do': { ...said, mcp_servers: [], container: null, tools: null },
    'tools of the agent, with any schema': anthropicMore({
      tools: [
        {
          name: 'a',
          description: 'b',
          input_schema: { mcp_servers: { type: 'url', url: EVIL } },
          defer_loading: true,
        },
        { type: 'custom', name: 'c', input_schema: {} },
        { type: 'bash_20250124', name: 'bash' },
        { type: 'text_editor_20250728', name: 'edit', max_characters: 1 },
        { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
      ],
      tool_choice: { type: 'auto' },
    }),
    'an image and a document that come along': {
      ...said,
      system: [{ type: 'text', text: EVIL, cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: EVIL }, title: 't' },
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }] } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't', signature: 's' },
            { type: 'tool_use', id: '1', name: 'a', input: { type: 'url', url: EVIL, mcp_servers: [1] } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: '1',
              content: [
                { type: 'text', text: 'x' },
                { type: 'image', source: { type: 'base64', data: 'aa' } },
              ],
            },
          ],
        },
        { role: 'system', content: 'x', output_config: { effort: 'medium' } },
      ],
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    },
  }),
  friendly('a message at the beta', `${MESSAGES}?beta=true`, INFERENCE, lent(said)),
  friendly(
    'Anthropic counts',
    'POST https://api.anthropic.com/v1/messages/count_tokens',
    INFERENCE,
    lent(said),
  ),
  friendly('Anthropic models', 'GET https://api.anthropic.com/v1/models', READ),
  ...many(hostile, MESSAGES, WRITE, {
    'servers that the provider calls': anthropicMore({
      mcp_servers: [{ type: 'url', url: EVIL, name: 'x' }],
    }),
    'the same, spelled with an escape': `{"model":"m","messages":[],"\\u006dcp_servers":[{"url":"${EVIL}"}]}`,
    'the same, twice, the first of them empty': `{"model":"m","mcp_servers":[],"mcp_servers":[{"url":"${EVIL}"}]}`,
    'the same in capitals is not known': anthropicMore({ MCP_SERVERS: [1] }),
    'a set of tools of such a server': anthropicMore({
      tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }],
    }),
    'a search of the web': anthropicMore({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
    'a fetch': anthropicMore({ tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }),
    'a newer fetch': anthropicMore({ tools: [{ type: 'web_fetch_20991231', name: 'web_fetch' }] }),
    'code that runs there': anthropicMore({ tools: [{ type: 'code_execution_20250825', name: 'c' }] }),
    'a tool behind an honest one': anthropicMore({
      tools: [{ name: 'a', input_schema: {} }, { type: 'web_search_20250305' }],
    }),
    'a tool with an address of its own': anthropicMore({
      tools: [{ name: 'a', input_schema: {}, server_url: EVIL }],
    }),
    'tools that are no list': anthropicMore({ tools: { 0: { type: 'web_search_20250305' } } }),
    'a type that is no text': anthropicMore({ tools: [{ type: ['web_search_20250305'], name: 'a' }] }),
    'a container': anthropicMore({ container: 'container_1' }),
    'a container with skills': anthropicMore({ container: { skills: [{ skill_id: 'x' }] } }),
    'an image from an address': block({ type: 'image', source: { type: 'url', url: EVIL } }),
    'a document from an address': block({ type: 'document', source: { type: 'url', url: EVIL } }),
    'an image in the answer of a tool': block({
      type: 'tool_result',
      tool_use_id: '1',
      content: [{ type: 'image', source: { type: 'url', url: EVIL } }],
    }),
    'an image inside a document': block({
      type: 'document',
      source: { type: 'content', content: [{ type: 'image', source: { type: 'url', url: EVIL } }] },
    }),
    'a source without a type': block({ type: 'image', source: { url: EVIL } }),
    'an image beside its source': block({ type: 'image', source: { type: 'base64', data: '' }, url: EVIL }),
    'a file': block({ type: 'document', source: { type: 'file', file_id: 'f' } }),
    'a file for the container': block({ type: 'container_upload', file_id: 'f' }),
    'a block that nobody knows': block({ type: 'webhook', url: EVIL }),
    'a block without a type': block({ url: EVIL }),
    'a message with more than it may have': {
      ...said,
      messages: [{ role: 'user', content: 'a', tools: [] }],
    },
    'a fallback with tools of its own': anthropicMore({ fallbacks: [{ model: 'm', mcp_servers: [1] }] }),
    'tools that are added on the way': block({
      type: 'tool_addition',
      tool: { type: 'mcp_toolset_reference' },
    }),
    'a field that nobody knows': anthropicMore({ webhook_url: EVIL }),
    'a key that objects have': '{"model":"m","messages":[],"__proto__":{"mcp_servers":[1]}}',
    'a model that searches': { ...said, model: 'sonar-pro' },
    'no JSON': 'model=m',
    'two objects': `${JSON.stringify(said)}${JSON.stringify({ ...said, mcp_servers: [1] })}`,
    'a byte-order mark': `\ufeff${JSON.stringify(said)}`,
    'a list': `[${JSON.stringify(said)}]`,
    'nothing at all': '',
    'a body that is deep': `{"model":"m","messages":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  }),
  hostile('[NE-11] no credential is lent', MESSAGES, WRITE, { body: JSON.stringify(said) }),
  hostile('[NE-11] a parameter that nobody knows', `${MESSAGES}?webhook=x`, WRITE, lent(said)),
  hostile('[NE-11] a body that goes on', MESSAGES, WRITE, { ...lent(said), cut: true }),
  hostile('[NE-11] a body that is compressed', MESSAGES, WRITE, {
    ...lent(said),
    headers: [['Content-Encoding', 'gzip']],
  }),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ].map((type) =>
    hostile(`[NE-11] a body that is called ${type}`, MESSAGES, WRITE, {
      ...lent(said),
      headers: [['Content-Type', type]],
    }),
  ),
  hostile('[NE-11] a body that is called two things', MESSAGES, WRITE, {
    ...lent(said),
    headers: [
      ['Content-Type', 'application/json'],
      ['Content-Type', 'text/plain'],
    ],
  }),
  hostile('[NE-11] a body that is not UTF-8', MESSAGES, WRITE, {
    credential: 'model',
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify({ ...said, stop_sequences: ['\xff'] }), 'latin1'),
  }),
  ...many(friendly, MESSAGES, INFERENCE, {
    'a text that cites': block({
      type: 'text',
      text: 'a',
      citations: [{ type: 'web_search_result_location', url: EVIL, title: 't', cited_text: 'c' }],
      cache_control: { type: 'ephemeral' },
    }),
    'a call with any input': block({
      type: 'tool_use',
      id: 'i',
      name: 'n',
      input: { source: { type: 'url', url: EVIL } },
    }),
    'what a search answered': block({
      type: 'web_search_tool_result',
      tool_use_id: 'i',
      content: [{ type: 'web_search_result', url: EVIL, title: 't', encrypted_content: 'x' }],
    }),
    'what was found': block({
      type: 'search_result',
      source: EVIL,
      title: 't',
      content: [{ type: 'text', text: 'a' }],
    }),
    'what was fetched': block({
      type: 'web_fetch_tool_result',
      tool_use_id: 'i',
      content: {
        type: 'web_fetch_result',
        url: EVIL,
        content: { type: 'document', source: { type: 'text', data: 'a' } },
      },
    }),
  }),
  ...many(hostile, MESSAGES, WRITE, {
    'a document beside a text': block({ type: 'text', text: 'a', source: { type: 'url', url: EVIL } }),
    'a picture beside a thought': block({ type: 'thinking', thinking: 'a', signature: 's', image_url: EVIL }),
    'a document that shall be fetched in what was fetched': block({
      type: 'web_fetch_tool_result',
      tool_use_id: 'i',
      content: {
        type: 'web_fetch_result',
        content: { type: 'document', source: { type: 'url', url: EVIL } },
      },
    }),
    'a file in what was found': block({
      type: 'search_result',
      source: 's',
      title: 't',
      content: [{ type: 'document', source: { type: 'file', file_id: 'f' } }],
    }),
    'a picture in what a server answered': block({
      type: 'mcp_tool_result',
      tool_use_id: 'i',
      content: [{ type: 'image', source: { type: 'url', url: EVIL } }],
    }),
  }),
];
