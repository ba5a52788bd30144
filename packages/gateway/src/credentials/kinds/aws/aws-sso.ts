import { SallyportError } from '@sallyport/protocol';
import { Secret } from '../../../shared/secret.ts';
import type { CredentialKind } from '../kind.ts';
import { awsFailure, clientOptions, keysOfAnswer } from './aws-call.ts';
import { AWS_HOSTS, AWS_PLACES, prepareKeys } from './aws-static.ts';

const SIGN_IN = 'sign in again with `aws sso login`';

/** Keys of a role of IAM Identity Center, got with the token that `aws sso login` left in its cache. */
export const awsSsoKind: CredentialKind<'aws_sso'> = {
  name: 'aws_sso',
  hosts: AWS_HOSTS,
  places: AWS_PLACES,
  async prepare(material, options, context) {
    if (material === undefined) throw new SallyportError('SecretUnreadable');
    const login = parseLogin(material);
    const { clock, signal } = context;
    context.learn(new Secret(login.accessToken));
    if (login.expiresAt <= clock.now()) {
      throw new SallyportError('SecretUnreadable', {
        message: 'the login of AWS SSO has expired',
        hint: SIGN_IN,
      });
    }
    const { GetRoleCredentialsCommand, SSOClient } = await import('@aws-sdk/client-sso');
    const region = options.sso_region ?? login.region ?? options.region ?? 'us-east-1';
    // The call carries the token; it is not signed.
    const keys = { accessKeyId: '', secretAccessKey: '' };
    const client = new SSOClient(clientOptions({ keys, region, endpoint: options.endpoint, clock }));
    const command = new GetRoleCredentialsCommand({
      accountId: options.account_id,
      roleName: options.role_name,
      accessToken: login.accessToken,
    });
    try {
      const answer = keysOfAnswer((await client.send(command, { abortSignal: signal })).roleCredentials);
      if (answer === undefined) {
        throw new SallyportError('SecretUnreadable', {
          message: 'AWS SSO answered without keys of the role',
        });
      }
      return await prepareKeys({ ...answer, region: options.region }, context);
    } catch (error) {
      throw awsFailure(error, `asking AWS SSO for the role \`${options.role_name}\``, SIGN_IN);
    } finally {
      client.destroy();
    }
  },
};

interface Login {
  readonly accessToken: string;
  readonly expiresAt: number;
  readonly region: string | undefined;
}

/** A file of `~/.aws/sso/cache`. Throws `SecretUnreadable`, which holds nothing of it. */
function parseLogin(material: Secret): Login {
  let parsed: unknown;
  try {
    parsed = JSON.parse(material.reveal());
  } catch {
    // SECURITY: the parser's error quotes the text.
  }
  const fields = new Map(typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []);
  const accessToken: unknown = fields.get('accessToken');
  const expiresAt = Date.parse(String(fields.get('expiresAt')));
  const region: unknown = fields.get('region');
  if (
    typeof accessToken !== 'string' ||
    !/^[\x21-\x7e]{1,16384}$/.test(accessToken) ||
    Number.isNaN(expiresAt)
  ) {
    throw new SallyportError('SecretUnreadable', {
      message: 'the source does not hold a login of AWS SSO',
      hint: 'name the file in `~/.aws/sso/cache` that `aws sso login` wrote, which has `accessToken` and `expiresAt`',
    });
  }
  return { accessToken, expiresAt, region: typeof region === 'string' ? region : undefined };
}
