import {
  byType,
  type Check,
  each,
  harmless,
  inlineAddress,
  inlineContent,
  keptContent,
  members,
  modelName,
  mustBeAbsent,
  mustBeOff,
  named,
  plainOr,
  textOr,
} from './check.ts';
import { repeated } from './repeated.ts';

const ABOUT = named('type cache_control', harmless);
const address = members({ url: inlineAddress, ...named('detail mime_type', harmless) });
/** A text in the place of an object with an address is that address. */
const addressed: Check = (value) => (typeof value === 'string' ? inlineAddress(value) : address(value));

/** Words of one kind, and nothing beside them that could be fetched. */
const TOLD: Check = members({
  ...ABOUT,
  ...named('text refusal thinking reasoning signature data id index format summary citations', repeated),
  ...named('prompt_cache_breakpoint annotations logprobs', repeated),
});

const part: Check = byType({
  ...named('text refusal thinking redacted_thinking reasoning', TOLD),
  image_url: members({ ...ABOUT, image_url: addressed }),
  video_url: members({ ...ABOUT, video_url: addressed }),
  input_audio: members({ ...ABOUT, input_audio: members({ data: inlineContent, format: harmless }) }),
  file: members({
    ...ABOUT,
    file: members({ filename: harmless, format: harmless, file_data: inlineContent, file_id: keptContent }),
  }),
});

const message: Check = members({
  ...named(
    'role name tool_calls tool_call_id function_call refusal audio cache_control prefix phase tool_name',
    harmless,
  ),
  ...named(
    `reasoning reasoning_content reasoning_details reasoning_text reasoning_opaque thinking thinking_blocks
    provider_specific_fields annotations`,
    repeated,
  ),
  content: textOr(each(part)),
  // As Ollama has them, and as OpenRouter repeats them.
  images: each((value) => (typeof value === 'string' ? inlineContent(value) : part(value))),
});

const tool: Check = byType({
  function: members(named('type function cache_control', harmless)),
  custom: members(named('type custom cache_control', harmless)),
});

const SAMPLING = named(
  `frequency_penalty logit_bias logprobs max_completion_tokens max_tokens n presence_penalty seed stop temperature
  top_logprobs top_p top_k top_a min_p repetition_penalty user stream stream_options service_tier best_of echo suffix
  options keep_alive think`,
  harmless,
);

/** Chat completions as OpenAI defined them, with what OpenRouter, Azure, Ollama, vLLM and others add. */
export const openaiChat: Check = members({
  ...SAMPLING,
  ...named(
    `audio function_call functions metadata modalities parallel_tool_calls prompt_cache_key
    prompt_cache_retention prompt_cache_options reasoning_effort response_format safety_identifier tool_choice
    verbosity provider route reasoning include_reasoning usage transforms session_id chat_template_kwargs
    enable_thinking thinking thinking_budget cache_control format structured_outputs`,
    harmless,
  ),
  // For the logs of the account, as `metadata`.
  trace: repeated,
  // What the answer is likely to be.
  prediction: members({ type: harmless, content: textOr(each(part)) }),
  model: modelName,
  models: each(modelName),
  messages: each(message),
  tools: each(tool),
  // Fonts and reference pictures of an image may be addresses.
  image_config: members(named('aspect_ratio image_size', harmless)),
  store: mustBeOff('`store`: the provider keeps it'),
  web_search_options: mustBeAbsent('`web_search_options`: the provider searches the web'),
  plugins: mustBeOff('`plugins` of the provider'),
});

export const openaiCompletions: Check = members({
  ...SAMPLING,
  ...named('prompt metadata provider route', harmless),
  model: modelName,
});

/** Texts, tokens, lists of them; or parts of a message. */
const embedded: Check = plainOr((value) =>
  Array.isArray(value)
    ? each(embedded)(value)
    : byType({ ...named('text input_text', TOLD), image_url: part }, members({ content: embedded }))(value),
);

export const openaiEmbeddings: Check = members({
  ...named(
    'dimensions encoding_format user input_type provider truncate options keep_alive prompt',
    harmless,
  ),
  model: modelName,
  input: embedded,
});

export const openaiModerations: Check = members({ model: modelName, input: embedded });

export const openaiImages: Check = members({
  ...named(
    `prompt n size quality style user background moderation output_compression output_format partial_images
    response_format stream aspect_ratio`,
    harmless,
  ),
  model: modelName,
});

export const openaiSpeech: Check = members({
  ...named('input voice instructions response_format speed stream_format', harmless),
  model: modelName,
});
