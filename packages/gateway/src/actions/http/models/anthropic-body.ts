import {
  byType,
  type Check,
  each,
  harmless,
  later,
  members,
  modelName,
  mustBeOff,
  named,
  never,
  textOr,
} from './check.ts';
import { repeated } from './repeated.ts';

const FETCHES = never('an address that the provider fetches');
const FILE = never('a file that the provider keeps');

const blocks: Check = textOr(each(later(() => block)));

const source: Check = byType({
  base64: harmless,
  text: harmless,
  content: members({ type: harmless, content: blocks, cache_control: harmless }),
  url: FETCHES,
  file: FILE,
});

const media: Check = members({
  ...named('type title context citations cache_control', harmless),
  source,
});

/** Words of one kind, and nothing beside them that could be fetched. */
const TOLD: Check = members({
  ...named('type cache_control', harmless),
  ...named('text thinking signature data citations id index', repeated),
});

/** A call that was made; what it was made with is the model's. */
const CALL: Check = members(
  named('type id name input cache_control caller server_name toolset_name signature', harmless),
);

/** What a message is made of. What tools of the provider once answered is only repeated here. */
const block: Check = byType({
  ...named(
    `search_result tool_reference compaction fallback browser_state mcp_tool_result web_search_tool_result
    web_fetch_tool_result advisor_tool_result code_execution_tool_result bash_code_execution_tool_result
    text_editor_code_execution_tool_result tool_search_tool_result`,
    repeated,
  ),
  ...named('text thinking redacted_thinking', TOLD),
  ...named('tool_use server_tool_use mcp_tool_use', CALL),
  image: media,
  document: media,
  tool_result: members({
    ...named('type tool_use_id is_error cache_control toolset_name', harmless),
    content: blocks,
  }),
  container_upload: FILE,
  ...named(
    'tool_addition tool_removal',
    members({
      ...named('type cache_control', harmless),
      tool: byType({ tool_reference: harmless }),
    }),
  ),
});

/** A tool that the agent runs itself, whatever its kind is called. */
const ownTool: Check = members(
  named(
    `type name description input_schema cache_control strict defer_loading input_examples eager_input_streaming
    allowed_callers max_characters display_width_px display_height_px display_number enable_zoom configs`,
    harmless,
  ),
);

const tool: Check = byType(
  {
    ...named(
      `custom bash_20241022 bash_20250124 text_editor_20241022 text_editor_20250124 text_editor_20250429
      text_editor_20250728 computer_20241022 computer_20250124 computer_20251124 computer_toolset_20260801
      memory_20250818`,
      ownTool,
    ),
    // These look for tools among those of the request itself.
    ...named(
      `tool_search_tool_regex tool_search_tool_regex_20251119 tool_search_tool_bm25
      tool_search_tool_bm25_20251119`,
      ownTool,
    ),
  },
  ownTool,
);

/** Anthropic's Messages: at Anthropic itself, and where others speak it (OpenRouter, Ollama, Bedrock, Vertex). */
export const anthropicMessages: Check = members({
  ...named(
    `max_tokens metadata stop_sequences stream temperature top_k top_p thinking service_tier context_management
    output_config output_format cache_control diagnostics inference_geo speed tool_choice
    anthropic_version anthropic_beta betas provider route user session_id structured_outputs`,
    harmless,
  ),
  trace: repeated,
  model: modelName,
  models: each(modelName),
  // Other models, each with settings of its own.
  fallbacks: textOr(
    each(members({ ...named('max_tokens output_config speed thinking', harmless), model: modelName })),
  ),
  system: blocks,
  messages: each(members({ ...named('role output_config clear_at', harmless), content: blocks })),
  tools: each(tool),
  mcp_servers: mustBeOff('`mcp_servers`: the provider calls them'),
  container: mustBeOff('`container`: the provider runs code'),
  plugins: mustBeOff('`plugins` of the provider'),
});

/** The old completions. */
export const anthropicComplete: Check = members({
  ...named('prompt max_tokens_to_sample metadata stop_sequences stream temperature top_k top_p', harmless),
  model: modelName,
});
