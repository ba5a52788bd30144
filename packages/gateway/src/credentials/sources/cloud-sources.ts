import { SallyportError } from '@sallyport/protocol';
import type { AwsSmConfig, SourceConfig, Variables } from '../../config/index.ts';
import { createAwsSmSource } from './aws-sm-source.ts';
import { createEnvSource } from './env-source.ts';
import { createFileSource } from './file-source.ts';
import { createNamedSource } from './named-source.ts';
import { resolveSecretReference } from './resolve-secret-reference.ts';
import type { SecretSource } from './secret-source.ts';
import type { SourceContext } from './source-context.ts';

/** The source that a cloud offers under this scheme, or under an entry of `sources`; undefined when it is none. */
export function createCloudSource(
  scheme: string,
  config: SourceConfig | undefined,
  { home, env, clock, learn, named }: SourceContext,
): SecretSource | undefined {
  if (config?.aws_sm === undefined && scheme !== 'aws-sm') return undefined;
  // The key to a store of secrets comes from a plainer place, never from the store itself.
  const sources = [createEnvSource(env), createFileSource(home), createNamedSource(named)];
  return createAwsSmSource(scheme, {
    config: config?.aws_sm ?? awsOfEnvironment(env),
    clock,
    async readSecret(reference, signal) {
      const secret = await resolveSecretReference(reference, sources, signal);
      learn(secret);
      return secret;
    },
  });
}

/** The region as AWS's own tools have it; they find the keys, too. */
function awsOfEnvironment(env: Variables): AwsSmConfig {
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION;
  if (region !== undefined && region !== '') return { region };
  throw new SallyportError('SecretUnreadable', {
    message: 'nothing says in which region of AWS the secrets are',
    hint: 'name it under `sources.aws-sm` of the tenant, or set AWS_REGION',
  });
}
