import { type Check, each, harmless, inlineContent, later, members, named } from './check.ts';
import { repeated } from './repeated.ts';

/** Bytes, or what stands in the request; an object in S3 is fetched. */
const source: Check = members({
  ...named('bytes text', harmless),
  content: each(later(() => block)),
});
const media: Check = members({ ...named('format name context citations', harmless), source });

const block: Check = members({
  ...named('text toolUse cachePoint json', harmless),
  ...named('reasoningContent citationsContent searchResult', repeated),
  guardContent: members({ text: harmless, image: later(() => media) }),
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

/** Embeddings of Amazon: texts, and pictures as they are. */
export const titanEmbedding: Check = members({
  ...named('inputText dimensions normalize embeddingTypes embeddingConfig', harmless),
  inputImage: inlineContent,
});

/** Embeddings of Cohere. */
export const cohereEmbedding: Check = members({
  ...named('texts input_type truncate embedding_types output_dimension max_tokens', harmless),
  images: each(inlineContent),
});

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
