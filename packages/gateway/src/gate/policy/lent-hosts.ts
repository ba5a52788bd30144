import type { CredentialConfig } from '../../config/index.ts';
import type { NetworkPolicy } from './compiled-policy.ts';
import type { PolicySource } from './policy-source.ts';

/**
 * SECURITY: whoever sets a credential up for a host names the host, so that its reads need not ask for being new. A
 * pattern names nothing: below `*.amazonaws.com` lie the buckets and gateways of everybody, and whoever owns one reads
 * what comes there. Of what a pattern covers only the provider's own services count [GA-16].
 */
export function compileLentHosts({ own, config }: PolicySource): NetworkPolicy['lends'] {
  const credentials = new Map<string, Lent>();
  for (const [name, credential] of Object.entries(own?.credentials ?? {}))
    credentials.set(name, {
      hosts: new Set(
        hostsOf(credential)
          .filter(isExact)
          .map((host) => host.toLowerCase()),
      ),
      isService: serviceHosts(credential.kind),
    });
  for (const { credential, host } of [...(own?.routes ?? []), ...config.routes])
    if (isExact(host)) credentials.get(credential)?.hosts.add(host.toLowerCase());
  return (name, host) => {
    const lent = credentials.get(name);
    return lent !== undefined && (lent.hosts.has(host) || lent.isService(host));
  };
}

/** What is lent to commands alone is sent to no host. */
function hostsOf(credential: CredentialConfig): readonly string[] {
  return 'hosts' in credential ? (credential.hosts ?? []) : [];
}

interface Lent {
  readonly hosts: Set<string>;
  readonly isService: (host: string) => boolean;
}

const isExact = (host: string): boolean => !host.includes('*');

const DATADOG = /^api\.(?:(?:us[35]|ap[12])\.)?datadoghq\.com$|^api\.(?:datadoghq\.eu|ddog-gov\.com)$/;
/** `sts.eu-central-1.amazonaws.com`: right above the region, or the domain, stands a service and no customer. */
const AWS =
  /^([a-z][a-z0-9-]*)\.(?:[a-z]{2}(?:-[a-z]+){1,3}-\d\.(?:amazonaws\.com(?:\.cn)?|api\.aws)|amazonaws\.com)$/;
/** Paths begin with what a customer owns. */
const AWS_SHARED = /^s3(?:-|$)|^sqs$|^queue$|^elasticmapreduce$|^iot$|^data$/;

/** Hosts of a provider's own services, by the kind of the credential. */
function serviceHosts(kind: CredentialConfig['kind']): (host: string) => boolean {
  switch (kind) {
    case 'linear':
      return (host) => host === 'api.linear.app' || host === 'uploads.linear.app';
    case 'slack':
      return (host) => host === 'slack.com' || host === 'files.slack.com' || host === 'api.slack.com';
    case 'datadog':
      return (host) => DATADOG.test(host);
    case 'aws_static':
    case 'aws_assume_role':
    case 'aws_sso':
      return (host) => {
        const service = AWS.exec(host)?.[1];
        return service !== undefined && !AWS_SHARED.test(service);
      };
    // open: any other kind is for the hosts that the config names
    default:
      return () => false;
  }
}
