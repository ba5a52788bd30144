import { type Finding, read, secret, unknown, write } from '../finding.ts';
import { compilePathTable } from '../path-table.ts';
import type { RequestView } from '../request-view.ts';

const npmPostReads = compilePathTable([
  '/-/npm/v1/security/advisories/bulk',
  '/-/npm/v1/security/audits',
  '/-/npm/v1/security/audits/quick',
]);
// Log-ins and tokens.
const NPM_SECRETS = /^\/-\/(?:v1\/login|user\/|npm\/v1\/(?:tokens|oidc))/;

const publish = (operation: string): Finding => write(operation, 'custom:http', { risk: 'critical' });

/** npm's protocol: downloads, searches and audits read; publishing, tags, owners and log-ins write. */
export function classifyNpm(view: RequestView): Finding {
  if (NPM_SECRETS.test(view.path)) return secret(`${view.method} ${view.path}`);
  if (view.isSafe) return read('npm get');
  if (view.method === 'POST' && npmPostReads(view.segments) !== undefined) return read('npm audit');
  return publish(view.method === 'PUT' ? 'npm publish' : `npm ${view.method}`);
}

/** Python indexes, cargo, go and maven: downloads read, everything else is publishing or not known. */
export function classifyDownloads(view: RequestView): Finding {
  if (view.isSafe) return read('download');
  if (view.method === 'POST' || view.method === 'PUT' || view.method === 'DELETE') return publish('publish');
  return unknown('package operation');
}

const PULL = /^\/v2\/(?:.+\/(?:manifests|blobs|tags|referrers)\/.+|_catalog|)$/;
const PUSH = /^\/v2\/.+\/(?:manifests\/[^/]+|blobs\/[^/]+|blobs\/uploads\/.*)$/;

/** Container registries (OCI distribution): pulls read, pushes write, a token for a push is part of it. */
export function classifyOci(view: RequestView): Finding | undefined {
  const { path, method } = view;
  if (/^\/(?:v2\/)?(?:auth\/)?token$/.test(path)) {
    const scopes = view.query('scope').join(' ');
    if (view.isSafe && !/\b(?:push|delete)\b|\*/.test(scopes)) return read('token for a pull');
    return write('token');
  }
  if (view.isSafe) return path === '/v2' || PULL.test(path) ? read('pull') : unknown('registry operation');
  if (!PUSH.test(path)) return unknown('registry operation');
  return write(method === 'DELETE' ? 'delete' : 'push');
}
