export { createAnthropic } from '@ai-sdk/anthropic';
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export { generateText, jsonSchema, Output } from 'ai';
