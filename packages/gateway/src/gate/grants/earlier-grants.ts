/**
 * Grants of versions before 0010-narrow-grants covered a type of actions at a host, in a repository, by a program or a
 * tool: one yes to a comment let a repository be deleted. The migration ended them; they cover nothing, whatever their
 * row says. People see them, with what they may give instead.
 */
export type EarlierCover =
  | {
      readonly kind: 'scope';
      readonly type: string;
      readonly effect: string;
      readonly target: EarlierScope;
      readonly credential: string | null;
    }
  | { readonly kind: 'pattern'; readonly selector: string; readonly credential: string | null };

type EarlierScope =
  | { readonly kind: 'host'; readonly host: string; readonly port: number }
  | { readonly kind: 'repository'; readonly repository: string; readonly refs: readonly string[] }
  | { readonly kind: 'program'; readonly program: string; readonly operation: string }
  | { readonly kind: 'tool'; readonly tool: string };

export function isEarlierCover(cover: { readonly kind: string }): cover is EarlierCover {
  return cover.kind === 'scope' || cover.kind === 'pattern';
}

export function describeEarlier(cover: EarlierCover, who: string): string {
  const lent = cover.credential === null ? '' : `, with the credential \`${cover.credential}\``;
  if (cover.kind === 'pattern') return `every \`${cover.selector}\` by ${who}${lent}`;
  return `every ${cover.effect} of type \`${cover.type}\` by ${who} ${placeOf(cover.target)}${lent}`;
}

/** The narrower answer that a person may give in its place. */
export function insteadOf(cover: EarlierCover): string {
  const next = 'answer `6` when it asks next: that covers this operation on this object';
  if (cover.kind === 'pattern' || cover.effect !== 'read') return next;
  const { target: place } = cover;
  if (place.kind !== 'host') return next;
  const entry = `\`{ host: ${place.host}, port: ${place.port}, method: [GET, HEAD], action: allow }\``;
  return `answer \`6\` when it asks next, or \`sallyport approve ID --scope reads-of-host --always\` for all reads of it, or add ${entry} to \`network.rules\``;
}

function placeOf(scope: EarlierScope): string {
  switch (scope.kind) {
    case 'host':
      return `to ${scope.host}${scope.port === 443 || scope.port === 80 ? '' : `:${scope.port}`}`;
    case 'repository':
      return `to ${scope.repository} on ${scope.refs.map((ref) => `\`${ref.replace(/^refs\/heads\//, '')}\``).join(', ')}`;
    case 'program':
      return `through \`${scope.program} ${scope.operation}\``;
    case 'tool':
      return `through the tool \`${scope.tool}\``;
    // open: written by another version
    default:
      return '';
  }
}
