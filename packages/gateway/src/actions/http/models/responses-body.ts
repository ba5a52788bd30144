import { isOutlineMembers } from '../../../shared/json-outline.ts';
import {
  byType,
  type Check,
  each,
  harmless,
  inlineAddress,
  inlineContent,
  keptContent,
  later,
  members,
  modelName,
  mustBeOff,
  named,
  never,
  textOr,
} from './check.ts';
import { repeated } from './repeated.ts';

const ABOUT = named('type cache_control prompt_cache_breakpoint detail', harmless);

/** Words of one kind, and nothing beside them that could be fetched. */
const TOLD: Check = members({
  ...ABOUT,
  ...named('text refusal encrypted_content annotations logprobs id index', repeated),
});

const part: Check = byType({
  ...named('input_text output_text text refusal summary_text reasoning_text encrypted_content', TOLD),
  input_image: members({ ...ABOUT, image_url: inlineAddress, file_id: keptContent }),
  computer_screenshot: members({ ...ABOUT, image_url: inlineAddress, file_id: keptContent }),
  input_file: members({
    ...ABOUT,
    filename: harmless,
    file_data: inlineContent,
    file_id: keptContent,
    file_url: mustBeOff('an address that the provider fetches'),
  }),
  input_audio: members({ ...ABOUT, input_audio: members(named('data format', harmless)) }),
});

const parts: Check = textOr(each(part));

const FUNCTION: Check = members(
  named('type name description parameters strict defer_loading output_schema function', harmless),
);

/** Anything but the agent's own machine, also none at all, is one of the provider's. */
const localShell: Check = (value) =>
  isOutlineMembers(value) && isOutlineMembers(value.environment) && value.environment.type === 'local'
    ? members(named('type environment', harmless))(value)
    : 'a shell of the provider';

/** Tools that the agent runs itself; a group of them; and a search among them. */
const tool: Check = byType({
  function: FUNCTION,
  custom: members(named('type name description format defer_loading', harmless)),
  ...named('local_shell apply_patch computer', members(named('type', harmless))),
  computer_use_preview: members(named('type display_width display_height environment', harmless)),
  shell: localShell,
  namespace: members({ ...named('type name description', harmless), tools: each(later(() => tool)) }),
  tool_search: members(named('type description execution parameters', harmless)),
});

const PLACE = named('type id status role phase call_id name namespace', harmless);
const message: Check = members({ ...PLACE, content: parts });

/** Without a type: a message says who speaks and what; an id alone names something that is kept. */
const untyped: Check = (value) =>
  isOutlineMembers(value) && typeof value.role === 'string' && (value.content ?? null) !== null
    ? message(value)
    : 'something that the provider keeps';

/** What a conversation is made of. What tools of the provider once answered is only repeated here. */
const item: Check = byType(
  {
    message,
    ...named(
      `function_call reasoning local_shell_call local_shell_call_output shell_call_output apply_patch_call
      apply_patch_call_output custom_tool_call computer_call compaction compaction_summary compaction_trigger
      context_compaction tool_search_call web_search_call file_search_call code_interpreter_call
      image_generation_call mcp_list_tools mcp_call mcp_approval_request ghost_snapshot agent_message`,
      repeated,
    ),
    ...named('function_call_output custom_tool_call_output', members({ ...PLACE, output: parts })),
    computer_call_output: members({ ...PLACE, acknowledged_safety_checks: harmless, output: part }),
    shell_call: members({
      ...PLACE,
      action: harmless,
      environment: textOr(byType({ local: harmless })),
      created_by: harmless,
    }),
    ...named(
      'additional_tools tool_search_output',
      members({
        ...PLACE,
        execution: harmless,
        tools: each(tool),
      }),
    ),
    mcp_approval_response: never('a yes to a tool of the provider'),
    item_reference: never('something that the provider keeps'),
  },
  untyped,
);

/**
 * OpenAI's Responses, and what comes with them.
 *
 * Without `store` OpenAI keeps answers for 30 days if the account says so: that is its owner's setting, nothing that the
 * agent asked for, and clients that say nothing are many. `store: true` is asked about.
 */
export const openaiResponses: Check = members({
  ...named(
    `instructions include max_output_tokens max_tool_calls metadata parallel_tool_calls prompt_cache_key
    prompt_cache_retention prompt_cache_options reasoning safety_identifier service_tier stream stream_options
    temperature text tool_choice top_logprobs top_p truncation user context_management client_metadata verbosity
    access_programs provider route session_id structured_outputs`,
    harmless,
  ),
  trace: repeated,
  model: modelName,
  models: each(modelName),
  input: textOr(each(item)),
  tools: each(tool),
  store: mustBeOff('`store`: the provider keeps it'),
  background: mustBeOff('`background`: the provider goes on by itself'),
  conversation: mustBeOff('`conversation`: the provider keeps it'),
  previous_response_id: mustBeOff('something that the provider keeps'),
  prompt: mustBeOff('`prompt`: settings that the provider keeps'),
  plugins: mustBeOff('`plugins` of the provider'),
});
