import type { GrantWire } from '@sallyport/protocol';

interface Named {
  readonly operation: string;
  readonly object: string;
  readonly at?: string;
}

/** The kinds of covers that have a form in a policy; the others stay grants. */
type Cover =
  | { readonly kind: 'operation'; readonly operations: readonly Named[] }
  | {
      readonly kind: 'reads';
      readonly of:
        | { readonly kind: 'host'; readonly host: string; readonly port: number }
        | { readonly kind: 'object' };
    }
  | { readonly kind: 'fingerprint' | 'owner' | 'declared' | 'scope' | 'pattern' };

/**
 * The permanent grants of a tenant as config: what a team reviews, keeps in its repository and then revokes as
 * grants. What has no form in a policy (one exact action, an operation of a provider on one object, a standing no) is
 * listed as a comment: a rule for it would be wider than what was given.
 */
export function exportGrants(grants: readonly GrantWire[], tenant: string): string {
  const permanent = grants.filter((grant) => grant.scope === 'always' && grant.ended_at === null);
  const network: string[] = [];
  const exceptions: string[] = [];
  const rules = new Map<string, string[]>();
  const left: string[] = [];
  for (const grant of permanent) {
    const note = `  # ${grant.covers} (${grant.id}, by ${grant.created_by})`;
    // The gateway wrote the cover; its kinds are those of `GrantCover`.
    const entry = grant.answer === 'yes' ? entryOf(grant.cover as unknown as Cover) : undefined;
    if (entry === undefined || grant.agent === null) left.push(`#   ${grant.covers} (${grant.id})`);
    else if (entry.kind === 'network') network.push(`    - ${entry.text}${note}`);
    else {
      exceptions.push(`      - ${JSON.stringify(entry.text)}${note}`);
      rules.set(grant.agent, [
        ...(rules.get(grant.agent) ?? []),
        `      - ${JSON.stringify(`allow:${entry.text}`)}${note}`,
      ]);
    }
  }
  const agents = [...rules].flatMap(([agent, lines]) => [`  ${agent}:`, '    permissions:', ...lines]);
  return `${[
    '# permanent grants, as policy; review before use: rules are judged in the order of the list they stand in',
    ...(network.length === 0 ? [] : ['network:', '  rules:', ...network]),
    ...(exceptions.length === 0 ? [] : ['tenants:', `  ${tenant}:`, '    exceptions:', ...exceptions]),
    ...(agents.length === 0 ? [] : ['agents:', ...agents]),
    ...(left.length === 0 ? [] : ['# no form in a policy that is not wider; these stay grants:', ...left]),
    ...(permanent.length === 0 ? ['# there are none'] : []),
  ].join('\n')}\n`;
}

interface Entry {
  readonly kind: 'network' | 'selector';
  readonly text: string;
}

const SHAPE = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/;

function entryOf(cover: Cover): Entry | undefined {
  if (cover.kind === 'reads')
    return cover.of.kind === 'host' ? reading(cover.of.host, cover.of.port) : undefined;
  if (cover.kind !== 'operation') return undefined;
  const [only, ...more] = cover.operations;
  if (only === undefined || more.length > 0) return undefined;
  const { operation, at } = only;
  if (operation.startsWith('mcp:')) return { kind: 'selector', text: operation };
  const border = at?.lastIndexOf(':') ?? -1;
  if (at === undefined || border === -1) return undefined;
  const [host, port] = [at.slice(0, border), Number(at.slice(border + 1))];
  if (operation === 'read') return reading(host, port);
  const [, method, path] = SHAPE.exec(operation) ?? [];
  if (method === undefined || path === undefined || /[*?[\]]/.test(path)) return undefined;
  return {
    kind: 'selector',
    text: `http(${method} ${port === 443 ? host : at}${path.replaceAll('{}', '*')})`,
  };
}

function reading(host: string, port: number): Entry {
  const text = `{ host: ${JSON.stringify(host)}, port: ${port}, method: [GET, HEAD, OPTIONS], action: allow }`;
  return { kind: 'network', text };
}
