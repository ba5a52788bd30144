import { z } from 'zod';

/** Each has its classifier in `actions/http/providers`: a name without one does not compile. */
export const providerName = z.enum([
  'anthropic',
  'aws',
  'azure',
  'bitbucket',
  'cargo',
  'datadog',
  'gcp',
  'git',
  'github',
  'gitlab',
  'go',
  'google',
  'kubernetes',
  'linear',
  'maven',
  'npm',
  'oci',
  'ollama',
  'openai',
  'openrouter',
  'pypi',
  'slack',
]);

export type ProviderName = z.infer<typeof providerName>;

export const providersSchema = z
  .array(
    z.strictObject({
      host: z
        .string()
        .min(1)
        .max(300)
        .describe('host or `*.host`, with `:port` when only that port is meant'),
      provider: providerName.describe('provider whose classifier reads requests to that host'),
    }),
  )
  .describe('hosts that speak a known API under another name');
