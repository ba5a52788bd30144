import type { OutgoingRequest } from '../../../shared/http-message.ts';
import { notSignable } from '../kind.ts';
import type { AgentSigning, AwsAlgorithm } from './agent-signing.ts';
import { parseAwsHost } from './endpoint.ts';
import { headerOf } from './request-headers.ts';

/** What a signature is made for. */
export interface SigningScope {
  readonly algorithm: AwsAlgorithm;
  readonly service: string;
  /** of SigV4; the region set of SigV4a */
  readonly region: string;
}

const REGION_SET = /^(?:\*|[a-z0-9*-]{1,64}(?:, ?[a-z0-9*-]{1,64}){0,31})$/;
/** where the endpoints of the whole world are signed for */
const WORLD_REGION = 'us-east-1';

/**
 * Takes service and region from the agent's own signature as far as the host bears it out, else from the host's name.
 *
 * Throws `RequestNotSignable` when they contradict each other. A host that is not AWS's own (the config names it)
 * is taken as what the agent says it is.
 */
export function resolveScope(
  request: OutgoingRequest,
  agent: AgentSigning | undefined,
  configuredRegion: string | undefined,
): SigningScope {
  const endpoint = parseAwsHost(request.host);
  const service = agent?.service ?? endpoint?.services[0] ?? 's3';
  // SECURITY: see `signingNamesOf`. A signature for another service than the host's could be taken elsewhere.
  if (endpoint !== undefined && !endpoint.services.includes(service)) {
    throw notSignable(
      `the request is signed for \`${service}\`, which is not what \`${request.host}\` serves`,
      'use the endpoint of the service',
    );
  }
  if (agent?.algorithm === 'AWS4-ECDSA-P256-SHA256') {
    const set = headerOf(request.headers, 'x-amz-region-set') ?? agent.regionSet ?? endpoint?.region ?? '*';
    if (!REGION_SET.test(set)) throw notSignable('`x-amz-region-set` is not a list of regions');
    return { algorithm: agent.algorithm, service, region: set };
  }
  const region = agent?.region ?? endpoint?.region ?? configuredRegion ?? WORLD_REGION;
  if (endpoint?.region !== undefined && endpoint.region !== region) {
    throw notSignable(
      `the request is signed for \`${region}\`, but \`${request.host}\` is in \`${endpoint.region}\``,
      'use the endpoint of the region',
    );
  }
  return { algorithm: 'AWS4-HMAC-SHA256', service, region };
}
