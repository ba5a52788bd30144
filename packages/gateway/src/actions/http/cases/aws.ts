import { friendly, type HttpCase, hostile } from './case.ts';

const READ = 'read custom:http low';
const SECRET = 'write custom:http critical';
const WRITE = 'write custom:http high';

const signed = (service: string): readonly [string, string] => [
  'Authorization',
  `AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260101/eu-west-1/${service}/aws4_request, SignedHeaders=host, Signature=00`,
];
const target = (name: string): readonly [string, string] => ['X-Amz-Target', name];
const rpc = (service: string, name: string, body = '{}') => ({
  headers: [signed(service), target(name)],
  body,
});
const at = (service: string): string => `https://${service}.eu-west-1.amazonaws.com`;
const json = (service: string, action: string, want: string, why: string, body?: string): HttpCase =>
  (want.startsWith('read') ? friendly : hostile)(why, `POST ${at(service)}/`, want, {
    ...rpc(service, `Service_2020.${action}`, body),
    operation: `${service}:${action}`,
  });
const form = (service: string, action: string, want: string, why: string): HttpCase =>
  (want.startsWith('read') ? friendly : hostile)(why, `POST ${at(service)}/`, want, {
    headers: [signed(service)],
    body: `Action=${action}&Version=2016-11-15`,
    operation: `${service}:${action}`,
  });

export const AWS_CASES: readonly HttpCase[] = [
  form('ec2', 'DescribeInstances', READ, 'descriptions'),
  form('sts', 'GetCallerIdentity', READ, 'who am I'),
  form('iam', 'ListUsers', READ, 'lists'),
  json('logs', 'DescribeLogGroups', READ, 'log groups'),
  json('secretsmanager', 'ListSecrets', READ, 'names of secrets'),
  json('secretsmanager', 'DescribeSecret', READ, 'a description of a secret'),
  json('ssm', 'GetParameter', READ, 'a plain parameter', '{"Name":"a","WithDecryption":false}'),
  json('dynamodb', 'GetItem', 'read db:query low', 'an item'),
  json('dynamodb', 'Query', 'read db:query low', 'a query'),
  json('dynamodb', 'Scan', 'read db:query low', 'a scan'),
  friendly('an object, unsigned', 'GET https://bucket.s3.eu-west-1.amazonaws.com/key', READ),
  friendly('a bucket with dots', 'GET https://my.dotted.bucket.s3.amazonaws.com/key', READ),
  friendly(
    'an object by a presigned address',
    'GET https://s3.eu-west-1.amazonaws.com/b/k?X-Amz-Credential=AK%2F20260101%2Feu-west-1%2Fs3%2Faws4_request',
    READ,
  ),
  friendly('an object name with an encoded slash', 'GET https://bucket.s3.amazonaws.com/a%2Fb', READ),
  friendly('functions', `GET ${at('lambda')}/2015-03-31/functions`, READ, { headers: [signed('lambda')] }),
  friendly(
    'an action in the query',
    'GET https://sts.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15',
    READ,
  ),
  friendly(
    'a model runs',
    `POST ${at('bedrock-runtime')}/model/anthropic.claude/converse`,
    'read custom:inference low',
    {
      headers: [signed('bedrock')],
      credential: 'aws:models',
      body: '{"messages":[{"role":"user","content":[{"text":"a"}]}]}',
    },
  ),
  friendly(
    'images are pulled',
    'GET https://1234.dkr.ecr.eu-west-1.amazonaws.com/v2/app/manifests/latest',
    READ,
  ),
  friendly(
    'a CBOR call',
    `POST ${at('monitoring')}/service/GraniteServiceVersion20100801/operation/ListMetrics`,
    READ,
    {
      headers: [signed('monitoring'), ['smithy-protocol', 'rpc-v2-cbor']],
      body: 'x',
    },
  ),
  friendly(
    'a local server like it, by its signature',
    'POST http://localstack.corp.example:4566/',
    'read db:query low',
    rpc('dynamodb', 'DynamoDB_20120810.ListTables'),
  ),
  json('secretsmanager', 'GetSecretValue', SECRET, 'the value of a secret'),
  json('secretsmanager', 'BatchGetSecretValue', SECRET, 'values of secrets'),
  json('ssm', 'GetParameter', SECRET, 'a decrypted parameter', '{"Name":"a","WithDecryption":true}'),
  json(
    'ssm',
    'GetParametersByPath',
    SECRET,
    'decryption as a string',
    '{"Path":"/","WithDecryption":"true"}',
  ),
  json(
    'ssm',
    'GetParameters',
    SECRET,
    'decryption said twice',
    '{"WithDecryption":false,"WithDecryption":true}',
  ),
  json('ssm', 'GetParameter', SECRET, 'a body that is no JSON', 'x'),
  form('sts', 'GetSessionToken', SECRET, 'a session token'),
  form('sts', 'GetFederationToken', SECRET, 'a federation token'),
  form('sts', 'AssumeRole', SECRET, 'a role'),
  form('sts', 'AssumeRoleWithWebIdentity', SECRET, 'a role by another identity'),
  json('kms', 'Decrypt', SECRET, 'plain text'),
  json('kms', 'GenerateDataKey', SECRET, 'a data key'),
  json('ecr', 'GetAuthorizationToken', SECRET, 'a registry log-in'),
  json('cognito-identity', 'GetCredentialsForIdentity', SECRET, 'credentials'),
  json('cognito-idp', 'DescribeUserPoolClient', SECRET, 'a description that holds the client secret'),
  json('glue', 'GetConnections', SECRET, 'connections hold passwords'),
  form('redshift', 'GetClusterCredentials', SECRET, 'a database log-in'),
  form('ec2', 'GetPasswordData', SECRET, 'a Windows password'),
  form('iam', 'CreateAccessKey', SECRET, 'a new key'),
  form('iam', 'AttachRolePolicy', SECRET, 'rights'),
  form('ec2', 'TerminateInstances', SECRET, 'instances end'),
  form('ec2', 'StopInstances', WRITE, 'instances stop'),
  form('rds', 'DeleteDBInstance', 'write db:admin critical', 'a database ends'),
  form('cloudformation', 'UpdateStack', 'write deploy:production critical', 'a stack changes'),
  form('sns', 'Publish', 'write comms:external high', 'a message'),
  json('dynamodb', 'PutItem', 'write db:mutate high', 'an item'),
  json('dynamodb', 'ExecuteStatement', 'write db:mutate high', 'a statement may be anything'),
  json('dynamodb', 'DeleteTable', 'write db:admin critical', 'a table ends'),
  json('logs', 'FilterLogEvents', READ, 'a read by its name in the list'),
  hostile('a verb that is not on the list', `POST ${at('logs')}/`, SECRET, {
    ...rpc('logs', 'Logs_20140328.FilterEverything'),
    operation: 'unknown: logs:FilterEverything',
    object: 'eu-west-1',
  }),
  friendly('a region', `POST ${at('ec2')}/`, READ, {
    headers: [signed('ec2')],
    body: 'Action=DescribeVpcs',
    operation: 'ec2:DescribeVpcs',
    object: 'eu-west-1',
  }),
  hostile('a message to a queue of an account', `POST ${at('sqs')}/123456789012/jobs`, WRITE, {
    headers: [signed('sqs')],
    body: 'Action=SendMessage',
    operation: 'sqs:SendMessage',
    object: 'eu-west-1 123456789012/jobs',
  }),
  friendly('objects of a bucket', 'GET https://b.s3.eu-west-1.amazonaws.com/?list-type=2&prefix=a', READ, {
    operation: 's3:ListObjectsV2',
    object: 's3://b',
  }),
  friendly('an object by path', 'GET https://s3.eu-west-1.amazonaws.com/b/a/k', READ, {
    operation: 's3:GetObject',
    object: 's3://b',
  }),
  friendly('the head of an object', 'HEAD https://b.s3.amazonaws.com/k', READ, {
    operation: 's3:HeadObject',
  }),
  hostile('an object', 'PUT https://b.s3.amazonaws.com/k', WRITE, {
    operation: 's3:PutObject',
    object: 's3://b',
  }),
  hostile('a policy of a bucket', 'PUT https://b.s3.amazonaws.com/?policy', SECRET, {
    operation: 's3:PutBucketPolicy',
  }),
  hostile('a policy, encoded', 'PUT https://b.s3.amazonaws.com/?%70olicy', SECRET, {
    operation: 's3:PutBucketPolicy',
  }),
  hostile('a policy by path', 'PUT https://s3.amazonaws.com/b?policy', SECRET, {
    operation: 's3:PutBucketPolicy',
  }),
  hostile('two words that choose', 'PUT https://b.s3.amazonaws.com/?policy&tagging', SECRET),
  hostile('a word that is not published for it', 'POST https://b.s3.amazonaws.com/?acl', SECRET),
  hostile('the bucket ends', 'DELETE https://s3.amazonaws.com/b/', SECRET, { operation: 's3:DeleteBucket' }),
  hostile('many objects end', 'POST https://b.s3.amazonaws.com/?delete', WRITE, {
    operation: 's3:DeleteObjects',
  }),
  hostile(
    'settings of an account',
    'PUT https://123456789012.s3-control.eu-west-1.amazonaws.com/v20180820/x',
    SECRET,
  ),
  hostile('an unknown service', `POST ${at('newthing')}/`, SECRET, rpc('newthing', 'NewThing.ListAll')),
  hostile(
    'a target header does not turn a PUT to S3 into a list',
    'PUT https://b.s3.amazonaws.com/k',
    WRITE,
    rpc('s3', 'DynamoDB_20120810.ListTables'),
  ),
  hostile('nor does an action parameter', 'PUT https://b.s3.amazonaws.com/k?Action=ListBuckets', WRITE),
  hostile('a form upload is a POST to the root', 'POST https://b.s3.amazonaws.com/', WRITE, {
    body: 'Action=ListBuckets',
  }),
  hostile(
    'an S3 session is a credential',
    'GET https://b--x.s3express-euw1-az1.eu-west-1.amazonaws.com/?session',
    SECRET,
  ),
  hostile('also where the host says plain S3', 'GET https://b.s3.amazonaws.com/?session', SECRET),
  hostile('signed for one service, sent to another', `POST ${at('iam')}/`, SECRET, {
    headers: [signed('sts')],
    body: 'Action=ListUsers',
  }),
  hostile('signed twice for two services', `POST ${at('sts')}/`, SECRET, {
    headers: [signed('sts'), signed('iam')],
    body: 'Action=GetCallerIdentity',
  }),
  hostile(
    'header and form name two actions',
    `POST ${at('dynamodb')}/?Action=DeleteTable`,
    SECRET,
    rpc('dynamodb', 'X.ListTables'),
  ),
  hostile('two target headers', `POST ${at('dynamodb')}/`, SECRET, {
    headers: [signed('dynamodb'), target('X.ListTables'), target('X.DeleteTable')],
    body: '{}',
  }),
  hostile('a target header over a form, at a service that speaks both', `POST ${at('sqs')}/`, SECRET, {
    headers: [
      signed('sqs'),
      target('AmazonSQS.ListQueues'),
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    body: 'Action=DeleteQueue',
  }),
  hostile('a form that is called something else', `POST ${at('ec2')}/`, SECRET, {
    headers: [signed('ec2'), ['Content-Type', 'application/json']],
    body: 'Action=DescribeInstances',
  }),
  hostile('two actions in a form', `POST ${at('ec2')}/`, SECRET, {
    headers: [signed('ec2')],
    body: 'Action=DescribeInstances&Action=TerminateInstances',
  }),
  hostile('a form that goes on', `POST ${at('ec2')}/`, SECRET, {
    headers: [signed('ec2')],
    body: 'Action=DescribeInstances&',
    cut: true,
  }),
  hostile(
    'a path that RPC services do not have',
    `POST ${at('dynamodb')}/admin`,
    SECRET,
    rpc('dynamodb', 'X.ListTables'),
  ),
  hostile(
    'a method that RPC services do not have',
    `PUT ${at('dynamodb')}/`,
    SECRET,
    rpc('dynamodb', 'X.ListTables'),
  ),
  hostile('a name that only begins alike', `POST ${at('dynamodb')}/`, SECRET, rpc('dynamodb', 'X.Getaway')),
  hostile('API keys in the clear', `GET ${at('apigateway')}/restapis?includeValues=true`, SECRET, {
    headers: [signed('apigateway')],
  }),
  hostile('a package token', `POST ${at('codeartifact')}/v1/authorization-token?domain=d`, SECRET, {
    headers: [signed('codeartifact')],
  }),
  hostile('invoking a function', `POST ${at('lambda')}/2015-03-31/functions/f/invocations`, WRITE, {
    headers: [signed('lambda')],
  }),
  hostile(
    'new code for a function',
    `PUT ${at('lambda')}/2015-03-31/functions/f/code`,
    'write deploy:production critical',
    { headers: [signed('lambda')] },
  ),
  hostile('a model job', `POST ${at('bedrock-runtime')}/async-invoke`, SECRET, {
    headers: [signed('bedrock')],
  }),
  hostile('a model path at another host', `POST ${at('bedrock')}/model/x/converse`, SECRET, {
    headers: [signed('bedrock')],
  }),
  hostile('mail', `POST ${at('email')}/v2/email/outbound-emails`, 'write comms:external high', {
    headers: [signed('ses')],
  }),
  hostile(
    "somebody's own API is no API of AWS",
    'POST https://abc.execute-api.eu-west-1.amazonaws.com/prod/x',
    'write custom:http high',
  ),
  hostile(
    'images are pushed',
    'PUT https://1234.dkr.ecr.eu-west-1.amazonaws.com/v2/app/manifests/latest',
    WRITE,
  ),
];
