import { type JsonData, PNG } from './fixture-tool.ts';

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

/** Resources that the conformance suite reads. */
export const RESOURCES: readonly JsonData[] = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text that never changes',
    mimeType: 'text/plain',
  },
  {
    uri: 'test://static-binary',
    name: 'Static binary',
    description: 'A picture that never changes',
    mimeType: 'image/png',
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched resource',
    description: 'A text that can be watched',
    mimeType: 'text/plain',
  },
];

export const TEMPLATES: readonly JsonData[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'Template',
    description: 'A text for each id',
    mimeType: 'application/json',
  },
];

/** Undefined when there is no such resource. */
export function readResource(uri: string): JsonData | undefined {
  const id = TEMPLATE.exec(uri)?.[1];
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text: data }] };
  }
  switch (uri) {
    case 'test://static-text':
      return {
        contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
      };
    case 'test://static-binary':
      return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
    case 'test://watched-resource':
      return { contents: [{ uri, mimeType: 'text/plain', text: 'Watched resource content' }] };
    // open: any name
    default:
      return undefined;
  }
}

const argument = (name: string, description: string): JsonData => ({ name, description, required: true });

export const PROMPTS: readonly JsonData[] = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: [argument('arg1', 'first test argument'), argument('arg2', 'second test argument')],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that embeds a resource',
    arguments: [argument('resourceUri', 'URI of the resource to embed')],
  },
  { name: 'test_prompt_with_image', description: 'A prompt with a picture' },
];

const user = (content: JsonData): JsonData => ({ role: 'user', content });
const userText = (text: string): JsonData => user({ type: 'text', text });

/** Undefined when there is no such prompt. */
export function getPrompt(name: string, args: JsonData): JsonData | undefined {
  switch (name) {
    case 'test_simple_prompt':
      return { messages: [userText('This is a simple prompt for testing.')] };
    case 'test_prompt_with_arguments':
      return {
        messages: [
          userText(`Prompt with arguments: arg1='${String(args.arg1)}', arg2='${String(args.arg2)}'`),
        ],
      };
    case 'test_prompt_with_embedded_resource': {
      const resource = {
        uri: String(args.resourceUri),
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      };
      return {
        messages: [
          user({ type: 'resource', resource }),
          userText('Please process the embedded resource above.'),
        ],
      };
    }
    case 'test_prompt_with_image':
      return {
        messages: [
          user({ type: 'image', data: PNG, mimeType: 'image/png' }),
          userText('Please analyze the image above.'),
        ],
      };
    // open: any name
    default:
      return undefined;
  }
}
