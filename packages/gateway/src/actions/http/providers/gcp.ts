import { type Finding, read, secret, unknown, write } from '../finding.ts';
import type { RequestView } from '../request-view.ts';

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

/** Google Cloud: by method path. GET reads but for what answers with secrets; custom verbs read by list only. */
export function classifyGcp(view: RequestView): Finding {
  const { host, path, method } = view;
  if (TOKEN_HOSTS.has(host)) return secret(`${host}${path}`);
  const grpc = GRPC.exec(path);
  if (grpc !== null) return classifyGrpc(view, grpc[1] ?? '', grpc[2] ?? '');
  const verb = customVerb(view);
  const operation = verb === undefined ? `${method} ${host}` : `${method} ${host} :${verb}`;
  if (SECRET_PATH.test(path) || (verb !== undefined && SECRET_VERBS.test(verb))) return secret(operation);
  if (verb === undefined) {
    if (view.isSafe) return read(operation);
    return write(operation, writeType(host), { risk: method === 'DELETE' ? 'critical' : 'high' });
  }
  if (method !== 'GET' && method !== 'POST') return unknown(`${method} :${verb}`);
  // Elsewhere a `:query` runs what somebody deployed, as an agent of Vertex.
  if (READ_VERBS.has(verb) || (verb === 'query' && host === 'monitoring.googleapis.com'))
    return read(operation, isDatabase(host) && DATA_READS.has(verb) ? 'db:query' : 'custom:http');
  return unknown(`:${verb}`, writeType(host));
}

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
  if (
    last === undefined ||
    view.host === 'storage.googleapis.com' ||
    view.host.endsWith('.storage.googleapis.com')
  ) {
    return undefined;
  }
  return /(?::|%3A)([^:%]*)$/.exec(last)?.[1];
}

function classifyGrpc(view: RequestView, service: string, name: string): Finding {
  const operation = `${service}/${name}`;
  if (view.method !== 'POST' || GRPC_SECRET.test(name)) return secret(operation);
  return /^(?:Get|List|BatchGet)[A-Z]/.test(name) ? read(operation) : write(operation);
}
