export { createAnthropic } from '@ai-sdk/anthropic';
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export { generateText, jsonSchema, Output } from 'ai';

// The SDK's only switch for it: its warnings would go to standard error, past the log and its redaction.
globalThis.AI_SDK_LOG_WARNINGS = false;
