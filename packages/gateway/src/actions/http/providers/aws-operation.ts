import type { RequestView } from '../request-view.ts';
import { RPC_SERVICES, SERVICE_ALIASES } from './aws-services.ts';

const SUFFIX = /\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;
const REGION = /^(?:[a-z]{2}(?:-[a-z]+)+-\d|global|dualstack|fips)$/;
const SCOPE = /^[^/]*\/\d{8}\/[a-z0-9-]*\/([a-z0-9-]+)\/aws4_request$/;
const SCOPE_REGION = /^[^/]*\/\d{8}\/([a-z0-9-]+)\/[a-z0-9-]+\/aws4_request$/;
const SCOPE_V4A = /^[^/]*\/\d{8}\/([a-z0-9-]+)\/aws4_request$/;

/** Service that a host of AWS serves, by signing name; `undefined` for hosts of another shape. */
export function serviceOfHost(host: string): string | undefined {
  if (!SUFFIX.test(host)) return undefined;
  const labels = host.replace(SUFFIX, '').split('.');
  const names = labels.filter((label) => !REGION.test(label));
  // bucket.name.s3.eu-west-1, s3-eu-west-1: the bucket stands before, the region may hang on
  const s3 = names.findLastIndex((label) => label === 's3' || /^s3-[a-z]{2}(?:-[a-z]+)+-\d$/.test(label));
  if (s3 !== -1 && s3 === names.length - 1) return 's3';
  const joined = names.join('.');
  const alias = SERVICE_ALIASES[joined] ?? SERVICE_ALIASES[names.at(-1) ?? ''];
  if (alias !== undefined) return alias;
  return names.length === 1 ? names[0] : undefined;
}

/** Services named by the credential scopes of the signature, in the header and in the query. */
export function signedServices(view: RequestView): readonly (string | undefined)[] {
  return scopesOf(view).map((scope) => (SCOPE.exec(scope) ?? SCOPE_V4A.exec(scope))?.[1]);
}

/** Region that the request is signed for, or that its host names; `global` for services that have none. */
export function regionOf(view: RequestView): string {
  const named = view.host.split('.').filter((label) => /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(label));
  const signed = scopesOf(view).flatMap((scope) => SCOPE_REGION.exec(scope)?.[1] ?? []);
  const regions = new Set([...signed, ...named]);
  return regions.size === 0 ? 'global' : [...regions].sort().join(' ');
}

function scopesOf(view: RequestView): readonly string[] {
  const scopes: string[] = [];
  for (const value of view.headers('authorization')) {
    const scope = /Credential=([^,\s]+)/.exec(value)?.[1];
    if (/^AWS4-/.test(value)) scopes.push(scope ?? '');
  }
  scopes.push(...view.query('X-Amz-Credential'));
  return scopes;
}

/**
 * The operation of an RPC request; `undefined` when none or more than one is named.
 *
 * SECURITY: only at the paths that these protocols use, so that a REST service which happens to get a target
 * header or an `Action` parameter is never taken for one.
 */
export function rpcAction(view: RequestView, service: string): string | undefined {
  if (!RPC_SERVICES.has(service)) return undefined;
  // A header of a signed address may stand in its query.
  if (view.queryNames().some((name) => name.toLowerCase() === 'x-amz-target')) return undefined;
  const found = new Set<string>();
  const cbor = /^\/service\/[A-Za-z0-9_]+\/operation\/([A-Za-z0-9]+)$/.exec(view.path)?.[1];
  if (cbor !== undefined) {
    if (view.method !== 'POST' || view.headers('smithy-protocol').join() !== 'rpc-v2-cbor') return undefined;
    found.add(cbor);
  } else if (view.path !== '/' && !(service === 'sqs' && /^\/\d{12}\/[\w.-]+\/?$/.test(view.path))) {
    return undefined;
  }
  const targets = view.headers('x-amz-target');
  // SECURITY: some services speak both protocols and go by the media type.
  if (targets.length > 0 && !/^application\/x-amz-json-1\.[01]$/.test(view.mediaType() ?? ''))
    return undefined;
  for (const target of targets) found.add(target.slice(target.lastIndexOf('.') + 1).trim());
  for (const action of view.query('Action')) found.add(action);
  if (view.method === 'POST' && targets.length === 0 && cbor === undefined) {
    const form = view.mediaType() === 'application/x-www-form-urlencoded' ? view.wholeText() : undefined;
    if (form === undefined) return undefined;
    for (const action of new URLSearchParams(form).getAll('Action')) found.add(action);
  } else if (view.method !== 'POST' && (view.method !== 'GET' || targets.length > 0)) {
    return undefined;
  }
  const [action] = found;
  return found.size === 1 && action !== undefined && /^[A-Z][A-Za-z0-9]*$/.test(action) ? action : undefined;
}
