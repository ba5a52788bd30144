/** Services that are signed in S3's own way. */
export const S3_SERVICES: ReadonlySet<string> = new Set([
  's3',
  's3express',
  's3-outposts',
  's3-object-lambda',
]);

/** Names that requests are signed for, where they are not the label of the host. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'aps-workspaces': ['aps'],
  'bedrock-agent': ['bedrock'],
  'bedrock-agent-runtime': ['bedrock'],
  'bedrock-data-automation': ['bedrock'],
  'bedrock-data-automation-runtime': ['bedrock'],
  'bedrock-runtime': ['bedrock'],
  cloudhsmv2: ['cloudhsm'],
  email: ['ses'],
  iot: ['iot', 'iotdata', 'iotdevicegateway', 'iot-jobs-data', 'IoTSecuredTunneling', 'iotwireless'],
  marketplace: ['aws-marketplace'],
  'models-v2-lex': ['lex'],
  pinpoint: ['mobiletargeting', 'sms-voice'],
  queue: ['sqs'],
  'runtime-v2-lex': ['lex'],
  'servicecatalog-appregistry': ['servicecatalog'],
  sso: ['awsssoportal', 'sso-oauth', 'sso'],
  transcribestreaming: ['transcribe'],
};

/**
 * Names that a request to the host label `prefix` may be signed for.
 *
 * SECURITY: whoever runs a machine below `amazonaws.com` sees what is signed for its host, and some services do not
 * look at the host that a signature names. A request is signed only for the service that its host serves, so that it
 * is worth nothing at any other. The label itself is the rule; `compute`, `elb` and the like name no service.
 */
export function signingNamesOf(prefix: string): readonly string[] {
  if (/^s3-(?:outposts|object-lambda)$/.test(prefix)) return [prefix];
  if (/^s3express(?:-|$)/.test(prefix)) return ['s3express'];
  if (/^s3(?:-(?:accesspoint|control|accelerate|global|external-1))?$/.test(prefix)) return ['s3'];
  return Object.hasOwn(OTHER_NAMES, prefix) ? (OTHER_NAMES[prefix] ?? []) : [prefix];
}
