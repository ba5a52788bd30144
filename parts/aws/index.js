export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
export { GetRoleCredentialsCommand, SSOClient } from '@aws-sdk/client-sso';
export { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
export { getSigningKey, SignatureV4 } from '@smithy/signature-v4';
export { SignatureV4a } from '@smithy/signature-v4a';
