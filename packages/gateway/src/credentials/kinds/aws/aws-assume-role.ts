import { SallyportError } from '@sallyport/protocol';
import type { CredentialOptions } from '../../../config/index.ts';
import type { CredentialKind, PrepareContext } from '../kind.ts';
import { awsFailure, clientOptions, keysOfAnswer } from './aws-call.ts';
import { type AwsKeys, parseAwsKeys } from './aws-keys.ts';
import { AWS_HOSTS, AWS_PLACES, prepareKeys } from './aws-static.ts';

/** Keys of a role, got from STS with the keys of the source: short-lived, and with the role's rights only. */
export const awsAssumeRoleKind: CredentialKind<'aws_assume_role'> = {
  name: 'aws_assume_role',
  hosts: AWS_HOSTS,
  places: AWS_PLACES,
  async prepare(material, options, context) {
    if (material === undefined) throw new SallyportError('SecretUnreadable');
    const base = parseAwsKeys(material);
    const answer = keysOfAnswer(await assumeRole(base, options, context));
    if (answer === undefined) {
      throw new SallyportError('SecretUnreadable', { message: 'STS answered without keys of the role' });
    }
    return prepareKeys({ ...answer, region: options.region }, context);
  },
};

async function assumeRole(
  keys: AwsKeys,
  options: CredentialOptions<'aws_assume_role'>,
  { clock, signal }: PrepareContext,
): Promise<unknown> {
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { region, endpoint } = options;
  const client = new STSClient(clientOptions({ keys, region, endpoint, clock }));
  try {
    const command = new AssumeRoleCommand({
      RoleArn: options.role_arn,
      RoleSessionName: options.session_name,
      DurationSeconds: options.duration,
      ExternalId: options.external_id,
    });
    return (await client.send(command, { abortSignal: signal })).Credentials;
  } catch (error) {
    throw awsFailure(
      error,
      `assuming the role \`${options.role_arn}\``,
      'check the keys of the source, the trust policy of the role and `external_id`',
    );
  } finally {
    client.destroy();
  }
}
