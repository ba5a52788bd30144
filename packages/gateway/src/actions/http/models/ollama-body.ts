import { isOutlineMembers } from '../../../shared/json-outline.ts';
import { type Check, each, harmless, inlineContent, members, modelName, named } from './check.ts';

/** A model of this machine. Ollama hands `…-cloud` on to its own service. */
const localModel: Check = (value) =>
  typeof value === 'string' && /[:-]cloud\s*$/i.test(value) ? 'a model in the cloud' : modelName(value);

/** The same for the APIs of others that Ollama speaks. */
export function ofLocalModel(check: Check): Check {
  return (value) => (isOutlineMembers(value) ? localModel(value.model ?? null) : undefined) ?? check(value);
}

const COMMON = {
  ...named('options keep_alive stream format think logprobs top_logprobs truncate shift', harmless),
  model: localModel,
};

export const ollamaGenerate: Check = members({
  ...COMMON,
  ...named('prompt suffix system template raw context width height steps', harmless),
  images: each(inlineContent),
});

export const ollamaChat: Check = members({
  ...COMMON,
  messages: each(
    members({
      ...named('role content tool_calls tool_name tool_call_id thinking', harmless),
      images: each(inlineContent),
    }),
  ),
  tools: each(members(named('type function', harmless))),
});

export const ollamaEmbed: Check = members({ ...COMMON, ...named('input prompt dimensions', harmless) });

export const ollamaShow: Check = members({
  ...named('verbose system template options', harmless),
  model: localModel,
  name: localModel,
});
