import { type Check, each, harmless, later, members, named } from './check.ts';

/** Bytes, or what stands in the request; an object in S3 is fetched. */
const source: Check = members({
  ...named('bytes text', harmless),
  content: each(later(() => block)),
});
const media: Check = members({ ...named('format name context citations', harmless), source });

const block: Check = members({
  ...named(
    'text toolUse cachePoint guardContent reasoningContent citationsContent searchResult json',
    harmless,
  ),
  ...named('image document video audio', media),
  toolResult: members({
    ...named('toolUseId status type', harmless),
    content: each(later(() => block)),
  }),
});

/** What goes to the model as it is. */
const additional: Check = members(
  named(
    `thinking reasoning_config reasoning_effort top_k topK anthropic_beta output_config inferenceConfig
    stop_sequences`,
    harmless,
  ),
);

/** Bedrock's Converse. */
export const bedrockConverse: Check = members({
  ...named(
    `inferenceConfig guardrailConfig additionalModelResponseFieldPaths requestMetadata performanceConfig serviceTier
    outputConfig`,
    harmless,
  ),
  messages: each(members({ role: harmless, content: each(block) })),
  system: each(block),
  toolConfig: members({
    toolChoice: harmless,
    tools: each(members(named('toolSpec cachePoint', harmless))),
  }),
  additionalModelRequestFields: additional,
});
