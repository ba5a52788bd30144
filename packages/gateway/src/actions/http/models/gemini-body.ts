import {
  type Check,
  harmless,
  keptContent,
  later,
  members,
  modelName,
  mustBeOff,
  named,
  oneOrEach,
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
      `text thought thoughtSignature functionCall executableCode codeExecutionResult videoMetadata
      mediaResolution partMetadata`,
      harmless,
    ),
    inlineData: members(both(named('mimeType data displayName', harmless))),
    fileData: mustBeOff('an address or a file that the provider fetches'),
    functionResponse: members(
      both({
        ...named('id name response scheduling willContinue', harmless),
        parts: oneOrEach(later(() => part)),
      }),
    ),
  }),
);

const content: Check = members({ role: harmless, parts: oneOrEach(part) });

/** Functions are the agent's own. Every other kind of tool is Google's. */
const tool: Check = members(both({ functionDeclarations: harmless }));

const REQUEST = both({
  ...named('toolConfig safetySettings generationConfig labels serviceTier', harmless),
  model: modelName,
  contents: oneOrEach(content),
  systemInstruction: content,
  tools: oneOrEach(tool),
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
export const geminiEmbeddings: Check = members({ requests: oneOrEach(embedding) });
