import type { GrantWire } from '@sallyport/protocol';

interface ScopeCover {
  readonly kind: 'scope';
  readonly effect: string;
  readonly target:
    | { readonly kind: 'host'; readonly host: string; readonly port: number }
    | { readonly kind: 'program'; readonly program: string; readonly operation: string }
    | { readonly kind: 'repository'; readonly repository: string }
    | { readonly kind: 'tool'; readonly tool: string };
}

type Cover =
  | ScopeCover
  | { readonly kind: 'pattern'; readonly selector: string }
  | { readonly kind: 'fingerprint' }
  | { readonly kind: 'declared' };

/**
 * The permanent grants of a tenant as config: what a team reviews, keeps in its repository and then revokes as
 * grants. What has no form in a policy (one exact action, an API client's declared type) is listed as a comment.
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
    const cover = grant.cover as unknown as Cover;
    const entry = entryOf(cover);
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
    ...(left.length === 0 ? [] : ['# no form in a policy; these stay grants:', ...left]),
    ...(permanent.length === 0 ? ['# there are none'] : []),
  ].join('\n')}\n`;
}

function entryOf(cover: Cover): { readonly kind: 'network' | 'selector'; readonly text: string } | undefined {
  if (cover.kind === 'pattern') return { kind: 'selector', text: cover.selector };
  if (cover.kind !== 'scope') return undefined;
  const { target, effect } = cover;
  switch (target.kind) {
    case 'host':
      return effect === 'read'
        ? {
            kind: 'network',
            text: `{ host: ${JSON.stringify(target.host)}, port: ${target.port}, method: [GET, HEAD, OPTIONS], action: allow }`,
          }
        : { kind: 'selector', text: `http(${target.host}/**)` };
    case 'program':
      return { kind: 'selector', text: `Bash(${target.program} ${target.operation} *)` };
    case 'tool':
      return { kind: 'selector', text: target.tool };
    case 'repository':
      return undefined;
  }
}
