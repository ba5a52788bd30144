import { type Finding, read, secret, unknown, write } from '../finding.ts';
import type { RequestView } from '../request-view.ts';

const INFO =
  /^\/(?:version|api(?:\/v1)?|apis(?:\/[^/]+){0,2}|(?:healthz|livez|readyz|openapi\/v[23])(?:\/.*)?|\.well-known\/openid-configuration|openid\/v1\/jwks)\/?$/;
const PIERCING = new Set(['exec', 'attach', 'portforward', 'proxy', 'ephemeralcontainers', 'token']);
// Created to ask a question; the server stores nothing.
const REVIEWS = new Set([
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'subjectaccessreviews',
  'localsubjectaccessreviews',
  'selfsubjectreviews',
]);
const WORKLOADS = new Set(
  'deployments statefulsets daemonsets replicasets replicationcontrollers pods jobs cronjobs services ingresses'.split(
    ' ',
  ),
);
const STAGING = /(?:^|-)(?:staging|stage|dev|development|preview|test|qa)(?:-|$)/;
const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

interface Resource {
  readonly namespace?: string;
  readonly resource: string;
  readonly name?: string;
  readonly sub?: string;
}

/** Kubernetes: by verb and resource. Secrets, tokens and whatever opens a way into a pod or service are writes. */
export function classifyKubernetes(view: RequestView): Finding {
  const { segments, method } = view;
  const parsed = parseResource(segments);
  if (parsed === undefined) {
    return INFO.test(view.path) && view.isSafe ? read(`get ${view.path}`) : unknown('Kubernetes path');
  }
  const { resource, name, sub } = parsed;
  const what = sub === undefined ? resource : `${resource}/${sub}`;
  if (resource === 'secrets' || PIERCING.has(sub ?? '')) return secret(`${method} ${what}`);
  if (method === 'GET' || method === 'HEAD') return read(`${name === undefined ? 'list' : 'get'} ${what}`);
  if (method === 'OPTIONS') return read(`options ${what}`);
  const verb = VERBS[method];
  if (verb === undefined) return unknown(method);
  if (method === 'POST' && REVIEWS.has(resource) && name === undefined) return read(`create ${what}`);
  if (WORKLOADS.has(resource)) {
    const staging = parsed.namespace !== undefined && STAGING.test(parsed.namespace);
    return write(`${verb} ${what}`, staging ? 'deploy:staging' : 'deploy:production');
  }
  const access =
    /role|serviceaccounts|webhook|certificatesigningrequests|namespaces|nodes|customresource/.test(resource);
  return write(`${verb} ${what}`, 'custom:http', { risk: access ? 'critical' : 'high' });
}

/** Splits `/api/v1/…` and `/apis/GROUP/VERSION/…`; the old `watch` and `proxy` prefixes are not known. */
function parseResource(segments: readonly string[]): Resource | undefined {
  const start = segments[0] === 'api' ? 2 : segments[0] === 'apis' ? 3 : -1;
  if (start === -1) return undefined;
  const rest = segments
    .slice(start)
    .filter((segment, index, all) => segment !== '' || index < all.length - 1);
  const [first, second, third] = rest;
  if (first === undefined || first === '' || first === 'watch' || first === 'proxy') return undefined;
  if (first === 'namespaces' && second !== undefined && third !== undefined && !isNamespaceSub(third)) {
    return withName({ namespace: second }, rest.slice(2));
  }
  return withName({}, rest);
}

const isNamespaceSub = (segment: string): boolean => segment === 'status' || segment === 'finalize';

function withName(base: { readonly namespace?: string }, rest: readonly string[]): Resource {
  const [resource = '', name, sub] = rest;
  return {
    ...base,
    resource,
    ...(name === undefined ? {} : { name }),
    ...(sub === undefined ? {} : { sub }),
  };
}
