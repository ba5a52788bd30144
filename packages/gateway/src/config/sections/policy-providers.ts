import { z } from 'zod';

/** Providers that have a classifier. */
const PROVIDERS = [
  'github',
  'aws',
  'gcp',
  'slack',
  'datadog',
  'linear',
  'kubernetes',
  'anthropic',
  'openai',
  'google',
  'openrouter',
  'azure',
  'bedrock',
  'ollama',
] as const;

export const providersSchema = z
  .array(
    z.strictObject({
      host: z.string().min(1).max(300).describe('host, with `:port` when only that port is meant'),
      provider: z.enum(PROVIDERS).describe('provider whose classifier reads requests to that host'),
    }),
  )
  .describe('hosts that speak a known API under another name');
