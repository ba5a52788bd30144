/**
 * Operations whose answer is a secret, a session or a signed address, though their names sound like reading.
 * Taken from the output shapes of botocore 1.43 that are marked sensitive, and from what the CLI adds.
 */
const OPERATIONS: ReadonlySet<string> = new Set(
  `
  amplify:get-app amplify:get-branch amplify:list-apps amplify:list-branches amplifybackend:get-backend-auth
  apigateway:get-api-key apigateway:get-api-keys appsync:list-api-keys chime:get-bot chime:list-bots
  chime-sdk-meetings:get-attendee chime-sdk-meetings:list-attendees codepipeline:get-job-details
  codepipeline:get-third-party-job-details cognito-idp:describe-user-pool-client
  cognito-idp:describe-identity-provider cognito-idp:get-tokens-from-refresh-token
  cognito-idp:list-user-pool-client-secrets cognito-identity:get-open-id-token
  cognito-identity:get-open-id-token-for-developer-identity datazone:list-connections
  ec2:get-password-data
  ec2:describe-vpn-connections ecr:get-download-url-for-layer eks:get-token emr-serverless:get-session-endpoint
  gamelift:get-instance-access gamelift:get-game-session-log-url 
  kms:decrypt kms:re-encrypt kms:generate-data-key kms:generate-data-key-pair kms:derive-shared-secret
  kms:generate-data-key-without-plaintext kms:generate-data-key-pair-without-plaintext 
  lambda:get-function lambda:get-layer-version lambda:get-layer-version-by-arn lightsail:get-instance-access-details
  lightsail:download-default-key-pair mediapackage:describe-channel mediapackage:list-channels
  quicksight:get-dashboard-embed-url quicksight:get-session-embed-url
  s3:presign s3control:get-data-access secretsmanager:get-secret-value
  secretsmanager:batch-get-secret-value security-ir:get-case-attachment-download-url
  security-ir:get-case-attachment-upload-url ssm:get-access-token sts:assume-role sts:assume-role-with-saml
  sts:assume-role-with-web-identity sts:assume-root sts:get-web-identity-token wickr:get-oidc-info
  wickr:get-opentdf-config iam:create-access-key
  iam:create-login-profile 
  ec2-instance-connect:send-ssh-public-key ec2-instance-connect:ssh ssm:start-session ecs:execute-command
  mailmanager:get-address-list-import-job mailmanager:list-address-list-import-jobs
  `
    .trim()
    .split(/\s+/),
);

/** A part of a name that says what comes back, so that a service of tomorrow is covered too. */
const NAME =
  /password|credential|secret-value|client-secret|private-key|(?:auth|authorization|access|session|federation|identity|login|delegated|payment|oauth2)-?[a-z0-9-]*token|^get-token/;

/** Names that match, but whose answer is no secret. */
const HARMLESS: ReadonlySet<string> = new Set([
  'iam:get-account-password-policy',
  'iam:list-service-specific-credentials',
  'iam:get-credential-report',
  'secretsmanager:get-random-password',
]);

const PARAMETERS = new Set([
  'get-parameter',
  'get-parameters',
  'get-parameters-by-path',
  'get-parameter-history',
]);

/** Whether an AWS operation hands out a secret. `words` are what follows the operation. */
export function returnsSecret(service: string, operation: string, words: readonly string[]): boolean {
  const key = `${service}:${operation}`;
  if (service === 'ssm' && PARAMETERS.has(operation)) return words.some(asksDecryption);
  // No operation is that long; the pattern is not made to run on such a word.
  if (operation.length > 100) return true;
  return OPERATIONS.has(key) || (NAME.test(operation) && !HARMLESS.has(key));
}

// SECURITY: argparse takes prefixes, so `--with-d` decrypts as well.
function asksDecryption(word: string): boolean {
  const [name = ''] = word.split('=');
  return name.length > 3 && '--with-decryption'.startsWith(name);
}
