import { setTimeout as delay } from 'node:timers/promises';
import { ELICITATION_DEFAULTS, ELICITATION_ENUMS, ELICITATION_SIMPLE } from './elicitation-schemas.ts';
import {
  type FixtureTool,
  type JsonData,
  NO_ARGUMENTS,
  PNG,
  type ToolRun,
  text,
  textArgument,
  WAV,
} from './fixture-tool.ts';

/** Long enough that each part of what a tool says goes out by itself. */
const PAUSE_MS = 50;

async function elicit(call: ToolRun, message: string, requestedSchema: JsonData): Promise<JsonData> {
  const answer = await call.ask('elicitation/create', { message, requestedSchema });
  return text(
    `Elicitation completed: action=${String(answer.action)}, content=${JSON.stringify(answer.content ?? {})}`,
  );
}

const plain = (description: string, run: FixtureTool['run']): FixtureTool => ({
  description,
  inputSchema: NO_ARGUMENTS,
  run,
});

/** The tools that the official conformance suite calls by name. */
export const SUITE_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: plain('Returns simple text', () => text('This is a simple text response for testing.')),
  test_image_content: plain('Returns an image', () => ({
    content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  })),
  test_audio_content: plain('Returns audio', () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  })),
  test_embedded_resource: plain('Returns an embedded resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  test_multiple_content_types: plain('Returns several types of content', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  test_tool_with_logging: plain('Logs while it runs', async (call) => {
    call.log('info', 'Tool execution started');
    await delay(PAUSE_MS);
    call.log('info', 'Tool processing data');
    await delay(PAUSE_MS);
    call.log('info', 'Tool execution completed');
    return text('Tool with logging executed successfully');
  }),
  test_tool_with_progress: plain('Reports progress while it runs', async (call) => {
    for (const progress of [0, 50, 100]) {
      if (progress > 0) await delay(PAUSE_MS);
      const { progressToken } = call;
      if (progressToken !== undefined)
        call.notify('notifications/progress', { progressToken, progress, total: 100 });
    }
    return text('Tool with progress executed successfully');
  }),
  test_error_handling: plain('Always fails', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  test_sampling: {
    description: 'Asks the model of the client',
    inputSchema: textArgument('prompt', 'what the model is asked'),
    async run(call) {
      const answer = await call.ask('sampling/createMessage', {
        messages: [{ role: 'user', content: { type: 'text', text: String(call.args.prompt) } }],
        maxTokens: 100,
      });
      const content = answer.content as { readonly text?: string } | undefined;
      return text(`LLM response: ${content?.text ?? 'none'}`);
    },
  },
  test_elicitation: {
    description: 'Asks the user of the client',
    inputSchema: textArgument('message', 'what the user is asked'),
    run: (call) => elicit(call, String(call.args.message), ELICITATION_SIMPLE),
  },
  test_elicitation_sep1034_defaults: plain('Asks with default values', (call) =>
    elicit(call, 'Please review and update the form fields with defaults', ELICITATION_DEFAULTS),
  ),
  test_elicitation_sep1330_enums: plain('Asks with every kind of enum', (call) =>
    elicit(call, 'Please select options from the enum fields', ELICITATION_ENUMS),
  ),
  json_schema_2020_12_tool: {
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
    run: (call) => text(JSON.stringify(call.args)),
  },
  test_reconnection: plain('Closes its stream before it answers', async (call) => {
    call.log('info', 'Closing the stream before the answer');
    call.closeStream();
    await delay(PAUSE_MS);
    return text('Reconnection test completed successfully.');
  }),
};
