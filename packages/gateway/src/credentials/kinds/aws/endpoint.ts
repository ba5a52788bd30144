import { S3_SERVICES, signingNamesOf } from './service-names.ts';

/** What the name of a host of AWS says about who serves there. */
export interface AwsEndpoint {
  /** names that requests to it may be signed for, the usual one first */
  readonly services: readonly string[];
  /** undefined for endpoints of the whole world */
  readonly region: string | undefined;
}

const SUFFIXES = ['.amazonaws.com', '.amazonaws.com.cn', '.api.aws'] as const;
const REGION = /^[a-z]{2,3}(?:-[a-z]+)+-\d{1,2}$/;
const S3_WITH_REGION = /^s3-([a-z]{2,3}(?:-[a-z]+)+-\d{1,2})$/;

/**
 * Reads service and region from a host below `amazonaws.com`, `amazonaws.com.cn` or `api.aws`.
 *
 * Gives undefined for every other host, for example an S3-compatible store that the config names.
 */
export function parseAwsHost(host: string): AwsEndpoint | undefined {
  const suffix = SUFFIXES.find((known) => host.endsWith(known));
  if (suffix === undefined) return undefined;
  const labels = host
    .slice(0, -suffix.length)
    .split('.')
    .filter((label) => label !== 'dualstack');
  // An endpoint of a private network carries the name of the service before its region.
  if (labels.at(-1) === 'vpce') labels.pop();
  const last = labels.at(-1) ?? '';
  const legacy = S3_WITH_REGION.exec(last)?.[1];
  if (legacy !== undefined) return { services: ['s3'], region: legacy };
  if (REGION.test(last)) return { services: namesOf(labels.at(-2) ?? ''), region: last };
  // `eu-west-1.queue`, `domain.eu-west-1.es`
  const before = labels.at(-2) ?? '';
  return { services: namesOf(last), region: REGION.test(before) ? before : undefined };
}

function namesOf(label: string): readonly string[] {
  const prefix = label.replace(/^fips-|-fips$/, '');
  return signingNamesOf(prefix);
}

/** Whether paths are signed as they are and the body's hash stands in a header: S3's own way. */
export function isS3(service: string): boolean {
  return S3_SERVICES.has(service);
}
