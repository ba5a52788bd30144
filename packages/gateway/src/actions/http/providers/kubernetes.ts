import { type Finding, read, secret, unknown, unlisted } from '../finding.ts';
import { foundAs, type Operation, once, readNames } from '../operation-table.ts';
import { KUBERNETES_RESOURCES } from '../operations/kubernetes.ts';
import type { RequestView } from '../request-view.ts';

/** By `resource.group` or `resource.group/subresource`: what changing it means. */
export const kubernetesResources = once(() => readNames(KUBERNETES_RESOURCES));

const INFO =
  /^\/(?:version|api(?:\/v1)?|apis(?:\/[^/]+){0,2}|(?:healthz|livez|readyz|openapi\/v[23])(?:\/.*)?|\.well-known\/openid-configuration|openid\/v1\/jwks)\/?$/;
/** Whatever they belong to: they open a way into it, or hand out a token. */
const PIERCING = new Set(['exec', 'attach', 'portforward', 'proxy', 'ephemeralcontainers', 'token']);
/** What they belong to says what changing them means. */
const OF_THE_WHOLE = new Set(['status', 'scale']);
const STAGING = /(?:^|-)(?:staging|stage|dev|development|preview|test|qa)(?:-|$)/;
const PRODUCTION = /prod|live|^kube-|^default$/;
const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

interface Resource {
  readonly namespace?: string;
  /** `deployments.apps` */
  readonly resource: string;
  readonly name?: string;
  readonly sub?: string;
}

/** Kubernetes: by verb and resource. Secrets, tokens and whatever opens a way into a pod or service are writes. */
export function classifyKubernetes(view: RequestView): Finding {
  const { segments, method } = view;
  const cluster = `${view.host}:${view.head.port}`;
  const parsed = parseResource(segments);
  if (parsed === undefined) {
    return INFO.test(view.path) && view.isSafe
      ? read(`get ${view.path}`, 'custom:http', { object: cluster })
      : unlisted(view, 'custom:http', { object: cluster });
  }
  const { resource, name, sub, namespace } = parsed;
  const object = namespace === undefined ? cluster : `${cluster}/${namespace}`;
  const what = sub === undefined ? resource : `${resource}/${sub}`;
  const row = rowOf(resource, sub);
  const operation = `${verbOf(method, name)} ${what}`;
  // SECURITY: reading these is as bad as changing them; in any group, since many have their own.
  if (row?.isSecret === true || PIERCING.has(sub ?? '') || /^secrets(?:\.|$)/i.test(resource))
    return { ...secret(operation), object };
  if (view.isSafe) return read(operation, 'custom:http', { object });
  if (row === undefined || VERBS[method] === undefined) return unknown(operation, 'custom:http', { object });
  // SECURITY: what is only rehearsed is another thing, and so is what is done to another of the kind [GA-11].
  const isRehearsed = view.query('dryRun').join() === 'All';
  const done = isRehearsed ? `${operation} as a dry run` : operation;
  const found = foundAs({ ...row, name: done }, name === undefined ? object : `${object}/${name}`);
  const finding = namespace?.startsWith('kube-') === true ? { ...found, risk: 'critical' as const } : found;
  // A question is made to be asked, and the server keeps nothing.
  if (row.effect === 'read')
    return method === 'POST' && name === undefined ? finding : unknown(operation, 'custom:http', { object });
  return row.type === 'deploy:production' && namespace !== undefined && isStaging(namespace)
    ? { ...finding, type: 'deploy:staging', risk: 'high' }
    : finding;
}

const isStaging = (namespace: string): boolean => STAGING.test(namespace) && !PRODUCTION.test(namespace);

function rowOf(resource: string, sub: string | undefined): Operation | undefined {
  if (sub === undefined) return kubernetesResources().get(resource);
  const own = kubernetesResources().get(`${resource}/${sub}`);
  return own ?? (OF_THE_WHOLE.has(sub) ? kubernetesResources().get(resource) : undefined);
}

function verbOf(method: string, name: string | undefined): string {
  if (method === 'GET' || method === 'HEAD') return name === undefined ? 'list' : 'get';
  if (method === 'DELETE' && name === undefined) return 'deletecollection';
  return VERBS[method] ?? method.toLowerCase();
}

/** Splits `/api/v1/…` and `/apis/GROUP/VERSION/…`; the old `watch` and `proxy` prefixes are not known. */
function parseResource(segments: readonly string[]): Resource | undefined {
  const start = segments[0] === 'api' ? 2 : segments[0] === 'apis' ? 3 : -1;
  if (start === -1) return undefined;
  const group = start === 3 ? `.${segments[1] ?? ''}` : '';
  const rest = segments
    .slice(start)
    .filter((segment, index, all) => segment !== '' || index < all.length - 1);
  const [first, second, third] = rest;
  if (first === undefined || first === '' || first === 'watch' || first === 'proxy') return undefined;
  if (first === 'namespaces' && second !== undefined && third !== undefined && !isNamespaceSub(third)) {
    return withName({ namespace: second }, group, rest.slice(2));
  }
  return withName(first === 'namespaces' && second !== undefined ? { namespace: second } : {}, group, rest);
}

const isNamespaceSub = (segment: string): boolean => segment === 'status' || segment === 'finalize';

function withName(base: { readonly namespace?: string }, group: string, rest: readonly string[]): Resource {
  const [resource = '', name, sub] = rest;
  return {
    ...base,
    resource: `${resource}${group}`,
    ...(name === undefined ? {} : { name }),
    ...(sub === undefined ? {} : { sub }),
  };
}
