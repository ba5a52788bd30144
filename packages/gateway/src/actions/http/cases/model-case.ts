import { type friendly, hostile } from './case.ts';

export const READ = 'read custom:http low';
export const SECRET = 'write custom:http critical';
export const INFERENCE = 'read custom:inference low';
export const WRITE = 'write custom:http high';
export const OLLAMA = 'http://127.0.0.1:11434';
export const MESSAGES = 'POST https://api.anthropic.com/v1/messages';
export const RESPONSES = 'POST https://api.openai.com/v1/responses';
export const CHAT = 'POST https://api.openai.com/v1/chat/completions';
export const ROUTER = 'POST https://openrouter.ai/api/v1/chat/completions';
export const GEMINI = 'POST https://generativelanguage.googleapis.com/v1beta/models/g:generateContent';
export const BEDROCK = 'POST https://bedrock-runtime.eu-west-1.amazonaws.com/model';
export const VERTEX =
  'POST https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers';

export type Body = Readonly<Record<string, unknown>>;
export const lent = (body: Body | string) =>
  ({ credential: 'model', body: typeof body === 'string' ? body : JSON.stringify(body) }) as const;

export const said = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] };
export const asked = { model: 'm', input: 'hi' };
export const told = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
export const PNG = 'data:image/png;base64,iVBORw0KGgo=';
export const EVIL = 'https://evil.example/x?d=secret';

/** What an honest request says, and one more thing. */
export const anthropicMore = (more: Body): Body => ({ ...said, ...more });
export const block = (content: unknown): Body => ({
  ...said,
  messages: [{ role: 'user', content: [content] }],
});
export const item = (one: unknown): Body => ({ ...asked, input: [one] });
export const part = (one: unknown): Body => item({ role: 'user', content: [one] });
export const chatPart = (one: unknown): Body => ({
  model: 'm',
  messages: [{ role: 'user', content: [one] }],
});
export const geminiPart = (one: unknown): Body => ({ contents: [{ parts: [one] }] });

export const many = (
  kind: typeof friendly,
  request: string,
  want: string,
  bodies: Readonly<Record<string, Body | string>>,
) =>
  Object.entries(bodies).map(([why, body]) =>
    kind(kind === hostile ? `[NE-11] ${why}` : why, request, want, lent(body)),
  );

export const FUNCTION = {
  type: 'function',
  name: 'f',
  parameters: { mcp_servers: 1, type: 'object' },
  strict: true,
};
