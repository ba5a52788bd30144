import { type Finding, read, unknown, write } from '../finding.ts';
import type { RequestView } from '../request-view.ts';

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
