import { pathTemplate } from '../../../shared/path-template.ts';
import { type Finding, read, secret, unknown, unlisted } from '../finding.ts';
import {
  compileOperations,
  foundAs,
  type Operation,
  type OperationLookup,
  type OperationRow,
  once,
  readNames,
  readRows,
} from '../operation-table.ts';
import { GCP_GRPC_OPERATIONS, GCP_OPERATIONS } from '../operations/gcp.ts';
import type { RequestView } from '../request-view.ts';
import { withStatement } from '../statement-object.ts';

// Custom methods (`:verb`) of Google's published APIs that change nothing, with whatever HTTP method they have.
const READ_VERBS = new Set(
  `aggregatedList analyzeIamPolicy batchGet batchGetEffectiveIamPolicies batchGetDocuments count exists fetch
  getIamPolicy getEffectiveOrgPolicy getOrgPolicy list listCollectionIds listEffective lookup queryTimeSeries
  runAggregationQuery runQuery search searchAll searchAllIamPolicies searchAllResources searchCatalogs tail
  testIamPermissions validate searchEntries searchMessages troubleshoot`.split(/\s+/),
);
const DATA_READS = new Set(['batchGet', 'lookup', 'runQuery', 'runAggregationQuery', 'listCollectionIds']);
const SECRET_VERBS =
  /^(?:access|generateAccessToken|generateIdToken|signBlob|signJwt|token|generateEphemeralCert|decrypt|asymmetricDecrypt|rawDecrypt|exchangeToken)$/i;
// Hosts that do nothing but hand out tokens.
const TOKEN_HOSTS = new Set([
  'oauth2.googleapis.com',
  'sts.googleapis.com',
  'iamcredentials.googleapis.com',
  'securetoken.googleapis.com',
]);
const SECRET_PATH =
  /\/(?:hmacKeys|serviceAccounts\/[^/]+\/keys|keyString|getKeyString|oauth2|clientSecret|credentials|serverCaCerts\/private)(?:\/|$)/i;
const GRPC = /^\/([a-z][a-z0-9_]*(?:\.[A-Za-z0-9_]+)+)\/([A-Z][A-Za-z0-9]*)$/;
const GRPC_SECRET =
  /^(?:Access|Generate(?:Access|Id)Token|Sign(?:Blob|Jwt)|GetKeyString|(?:Asymmetric|Raw)?Decrypt|ExchangeToken)/;

/** Rows of the REST APIs by the first label of their host. */
export const gcpOperations = (service: string): readonly OperationRow[] =>
  readRows(GCP_OPERATIONS[service] ?? '');

export const gcpGrpcOperations = once(() => readNames(GCP_GRPC_OPERATIONS));

/** A custom verb is told apart like a method of its own. */
const operations: ReadonlyMap<string, OperationLookup> = new Map(
  Object.keys(GCP_OPERATIONS).map((service) => [
    service,
    compileOperations(() =>
      gcpOperations(service).map((row) => {
        const [, path = row.path, verb] = /^(.*):([A-Za-z]+)$/.exec(row.path) ?? [];
        return verb === undefined ? row : { ...row, path, method: `${row.method}:${verb}` };
      }),
    ),
  ]),
);

const SERVICE = /^(?:[a-z]+-[a-z]+\d+-)?([a-z]+)(?:\.mtls)?\.googleapis\.com$/;
const VERSION = /^v\d+(?:p\d+)?(?:(?:alpha|beta)\d*)?$/;

/** Google Cloud: by method path. GET reads but for what answers with secrets; custom verbs read by list only. */
export function classifyGcp(view: RequestView): Finding {
  const { host, path, method } = view;
  const object = objectOf(view);
  if (TOKEN_HOSTS.has(host)) return { ...secret(`${host}${path}`), object };
  const grpc = GRPC.exec(path);
  if (grpc !== null) return classifyGrpc(view, grpc[1] ?? '', grpc[2] ?? '');
  const verb = customVerb(view);
  const row = findRow(view, verb);
  if (row !== undefined) return foundRow(view, row, object);
  const service = `${method} ${host}`;
  const operation = verb === undefined ? service : `${service} :${verb}`;
  if (SECRET_PATH.test(path) || (verb !== undefined && SECRET_VERBS.test(verb)))
    return { ...secret(operation), object };
  if (verb === undefined) {
    if (view.isSafe) return read(`${service}${pathTemplate(path)}`, 'custom:http', { object });
    return unlisted(view, writeType(host), { object });
  }
  if (method !== 'GET' && method !== 'POST') return unlisted(view, 'custom:http', { object });
  if (READ_VERBS.has(verb))
    return read(operation, isDatabase(host) && DATA_READS.has(verb) ? 'db:query' : 'custom:http', { object });
  return unlisted(view, writeType(host), { object });
}

/** Who may read what is put is said in the query, or in the description of the object. */
const SHARES = /predefined(?:default)?acl|"acl"/i;

function foundRow(view: RequestView, row: Operation, object: string): Finding {
  if (row.isStatement === true)
    return view.head.bodyComplete
      ? foundAs(row, withStatement(view, object))
      : unknown(row.name, row.type, { object });
  const finding = foundAs(row, object);
  if (row.effect === 'read' || !isStorage(view.host)) return finding;
  // SECURITY: permissions are no part of putting an object [GA-11].
  const isShared = SHARES.test(decodeURIComponentSafely(view.target.query)) || SHARES.test(prefixOf(view));
  return isShared ? { ...finding, risk: 'critical' } : finding;
}

const prefixOf = ({ head: { bodyPrefix } }: RequestView): string =>
  bodyPrefix === undefined ? '' : Buffer.from(bodyPrefix).toString('latin1', 0, 16_384);

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return 'predefinedAcl';
  }
}

/** The row of a request, where the place of the version holds one. */
function findRow(view: RequestView, verb: string | undefined): OperationRow | undefined {
  const find = operations.get(SERVICE.exec(view.host)?.[1] ?? '');
  if (find === undefined) return undefined;
  const segments = verb === undefined ? view.segments : withoutVerb(view.segments);
  const row = find(verb === undefined ? view.method : `${view.method}:${verb}`, segments);
  const at = row?.path.split('/').indexOf('{v}') ?? -1;
  return at === -1 || VERSION.test(segments[at - 1] ?? '') ? row : undefined;
}

function withoutVerb(segments: readonly string[]): readonly string[] {
  const kept = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  return kept.with(-1, (kept.at(-1) ?? '').replace(/(?::|%3A)[^:%]*$/, ''));
}

/** Project, bucket, folder or organisation; else the host, which is whatever the credential gives. */
function objectOf({ host, segments }: RequestView): string {
  const bucket = isStorage(host)
    ? /\/storage\/v1\/b\/([^/]+)/.exec(`/${segments.join('/')}`)?.[1]
    : undefined;
  if (bucket !== undefined) return `gs://${bucket}`;
  for (const kind of PLACES) {
    const at = segments.indexOf(kind);
    const name = at === -1 ? undefined : segments[at + 1];
    if (name !== undefined && name !== '') return `${kind}/${name.replace(/(?::|%3A).*$/, '')}`;
  }
  return host;
}

const PLACES = ['projects', 'folders', 'organizations', 'billingAccounts'] as const;

const isStorage = (host: string): boolean =>
  host === 'storage.googleapis.com' || host.endsWith('.storage.googleapis.com');

const isDatabase = (host: string): boolean =>
  host === 'datastore.googleapis.com' ||
  host === 'firestore.googleapis.com' ||
  host === 'spanner.googleapis.com';

function writeType(host: string): 'db:mutate' | 'db:admin' | 'custom:http' {
  if (isDatabase(host) || host === 'bigquery.googleapis.com') return 'db:mutate';
  return host === 'sqladmin.googleapis.com' ? 'db:admin' : 'custom:http';
}

/** `:verb` at the end of the path, raw or encoded. Storage has object names there, which may hold a colon. */
function customVerb(view: RequestView): string | undefined {
  const last = view.segments.at(-1) === '' ? view.segments.at(-2) : view.segments.at(-1);
  if (last === undefined || isStorage(view.host)) return undefined;
  return /(?::|%3A)([^:%]*)$/.exec(last)?.[1];
}

/** What is asked for stands in a body that is not read: an answer about one call is about its service and method. */
function classifyGrpc(view: RequestView, service: string, name: string): Finding {
  const operation = `${service}/${name}`;
  const object = view.host;
  const row = gcpGrpcOperations().get(operation);
  if (view.method !== 'POST') return unlisted(view, 'custom:http', { object });
  if (row !== undefined) return foundRow(view, row, object);
  if (GRPC_SECRET.test(name)) return { ...secret(operation), object };
  return /^(?:Get|List|BatchGet)[A-Z]/.test(name)
    ? read(operation, 'custom:http', { object })
    : unknown(operation, 'custom:http', { object });
}
