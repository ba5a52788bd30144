import {
  type Check,
  each,
  harmless,
  keptContent,
  later,
  members,
  modelName,
  mustBeOff,
  named,
} from './check.ts';

/** Google reads `systemInstruction` and `system_instruction` alike. */
function both(table: Readonly<Record<string, Check>>): Readonly<Record<string, Check>> {
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, check]) => [
      [name, check],
      [snake(name), check],
    ]),
  );
}

const part: Check = members(
  both({
    ...named(
      `text thought thoughtSignature inlineData functionCall executableCode codeExecutionResult videoMetadata
      mediaResolution partMetadata`,
      harmless,
    ),
    fileData: mustBeOff('an address or a file that the provider fetches'),
    functionResponse: members(
      both({
        ...named('id name response scheduling willContinue', harmless),
        parts: each(later(() => part)),
      }),
    ),
  }),
);

const content: Check = members({ role: harmless, parts: each(part) });

/** Functions are the agent's own. Every other kind of tool is Google's. */
const tool: Check = members(both({ functionDeclarations: harmless }));

const REQUEST = both({
  ...named('toolConfig safetySettings generationConfig labels serviceTier', harmless),
  model: modelName,
  contents: each(content),
  systemInstruction: content,
  tools: each(tool),
  cachedContent: keptContent,
});

export const geminiContent: Check = members(REQUEST);

export const geminiTokens: Check = members({
  ...REQUEST,
  ...both({ generateContentRequest: geminiContent }),
});

const embedding: Check = members(
  both({
    ...named('taskType title outputDimensionality autoTruncate embedContentConfig', harmless),
    model: modelName,
    content,
  }),
);

export const geminiEmbedding = embedding;
export const geminiEmbeddings: Check = members({ requests: each(embedding) });
