import type { AwsAccount } from './account.ts';
import { type Answer, AwsRefusal, document, elements, jsonAnswer, xmlAnswer } from './answer.ts';
import { headerText, type IncomingRequest } from './incoming.ts';
import type { VerifiedRequest } from './verify.ts';

/** STS in its query protocol: `AssumeRole` and `GetCallerIdentity`. */
export function answerSts(verified: VerifiedRequest, account: AwsAccount, now: number): Answer {
  const form = new URLSearchParams(verified.body.toString());
  const action = form.get('Action') ?? '';
  if (action === 'GetCallerIdentity') {
    return stsAnswer(action, elements({ Arn: verified.keys.arn, UserId: 'AIDATEST', Account: account.id }));
  }
  if (action !== 'AssumeRole')
    throw new AwsRefusal(400, 'InvalidAction', `Could not find operation ${action}`);
  const role = form.get('RoleArn') ?? '';
  if (!account.roles.has(role) || (account.roles.get(role) ?? null) !== form.get('ExternalId')) {
    throw new AwsRefusal(
      403,
      'AccessDenied',
      `User: ${verified.keys.arn} with key ${verified.keys.accessKeyId} is not authorized to perform: sts:AssumeRole`,
    );
  }
  const life = Number(form.get('DurationSeconds') ?? 3_600);
  const arn = `${role.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${form.get('RoleSessionName')}`;
  const keys = account.addSession(arn, now + life * 1_000);
  const credentials = elements({
    AccessKeyId: keys.accessKeyId,
    SecretAccessKey: keys.secretAccessKey,
    SessionToken: keys.sessionToken,
    Expiration: new Date(now + life * 1_000).toISOString(),
  });
  const user = elements({ Arn: arn, AssumedRoleId: 'AROATEST:session' });
  return stsAnswer(
    action,
    `<Credentials>${credentials}</Credentials><AssumedRoleUser>${user}</AssumedRoleUser>`,
  );
}

function stsAnswer(action: string, result: string): Answer {
  return xmlAnswer(
    document(
      `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>${result}</${action}Result><ResponseMetadata><RequestId>test</RequestId></ResponseMetadata></${action}Response>`,
    ),
  );
}

/** Secrets Manager: `GetSecretValue`. */
export function answerSecretsManager(
  request: IncomingRequest,
  verified: VerifiedRequest,
  account: AwsAccount,
): Answer {
  if (headerText(request, 'x-amz-target') !== 'secretsmanager.GetSecretValue') {
    throw new AwsRefusal(400, 'UnknownOperationException', 'The operation is not known');
  }
  const asked = JSON.parse(verified.body.toString()) as { SecretId?: string };
  const name = asked.SecretId ?? '';
  const value = account.secrets.get(name);
  if (value === undefined) {
    throw new AwsRefusal(
      400,
      'ResourceNotFoundException',
      "Secrets Manager can't find the specified secret.",
    );
  }
  const field =
    typeof value === 'string'
      ? { SecretString: value }
      : { SecretBinary: Buffer.from(value).toString('base64') };
  return jsonAnswer({
    Name: name,
    ARN: `arn:aws:secretsmanager:eu-west-1:${account.id}:secret:${name}`,
    ...field,
  });
}

/** The portal of IAM Identity Center: role keys for a login's token; the call itself is not signed. */
export function answerSso(request: IncomingRequest, account: AwsAccount, now: number): Answer {
  const token = headerText(request, 'x-amz-sso_bearer_token') ?? '';
  if (!account.ssoTokens.has(token)) {
    throw new AwsRefusal(401, 'UnauthorizedException', `Session token not found or invalid: ${token}`);
  }
  const role = `${request.query.get('account_id')}/${request.query.get('role_name')}`;
  if (!account.roles.has(role)) throw new AwsRefusal(403, 'ForbiddenException', 'No access');
  const expiration = now + 3_600_000;
  const { accessKeyId, secretAccessKey, sessionToken } = account.addSession(
    `arn:aws:sts::${request.query.get('account_id')}:assumed-role/${request.query.get('role_name')}/person`,
    expiration,
  );
  return jsonAnswer({ roleCredentials: { accessKeyId, secretAccessKey, sessionToken, expiration } });
}
