/** The `ai` SDK and its providers; loaded with the first question to a model. */
export async function loadModelSdk() {
  const [{ generateText, jsonSchema, Output }, { createAnthropic }, { createOpenAICompatible }] =
    await Promise.all([import('ai'), import('@ai-sdk/anthropic'), import('@ai-sdk/openai-compatible')]);
  // The SDK's only switch for it: its warnings would go to standard error, past the log and its redaction.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return { generateText, jsonSchema, Output, createAnthropic, createOpenAICompatible };
}

export type ModelSdk = Awaited<ReturnType<typeof loadModelSdk>>;
