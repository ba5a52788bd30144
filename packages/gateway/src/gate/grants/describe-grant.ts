import type { Grant, GrantCover, TargetScope } from './grant.ts';

/** In words what a grant covers and until when: the approver reads this before saying yes. */
export function describeGrant(grant: Omit<Grant, 'id' | 'uses' | 'createdAt' | 'createdBy'>): string {
  const who = grant.agent ?? (grant.client === undefined ? 'nobody' : `client ${grant.client}`);
  return `${describeCover(grant.covers, grant.scope === 'once', `\`${who}\``)}${lasting(grant)}`;
}

function describeCover(cover: GrantCover, once: boolean, who: string): string {
  const every = once ? 'one' : 'every';
  switch (cover.kind) {
    case 'fingerprint':
      return once ? `exactly this, by ${who}` : `exactly this again, by ${who}`;
    case 'pattern':
      return `${every} \`${cover.selector}\` by ${who}${withCredential(cover.credential)}`;
    case 'declared':
      return `${every} action that ${who} declares as \`${cover.type}\``;
    case 'scope':
      return `${every} ${cover.effect} of type \`${cover.type}\` by ${who} ${describeScope(cover.target)}${withCredential(cover.credential)}`;
  }
}

function describeScope(scope: TargetScope): string {
  switch (scope.kind) {
    case 'host':
      return `to ${scope.host}${scope.port === 443 || scope.port === 80 ? '' : `:${scope.port}`}`;
    case 'repository': {
      const branches = scope.refs.map((ref) => `\`${ref.replace(/^refs\/heads\//, '')}\``);
      return `to ${scope.repository} on ${branches.length === 1 ? 'branch' : 'branches'} ${branches.join(', ')}`;
    }
    case 'program':
      return `through \`${scope.program} ${scope.operation}\``;
    case 'tool':
      return `through the tool \`${scope.tool}\``;
  }
}

function withCredential(name: string | null): string {
  return name === null ? '' : `, with the credential \`${name}\``;
}

function lasting({ scope, expiresAt }: Pick<Grant, 'scope' | 'expiresAt'>): string {
  const until =
    expiresAt === undefined
      ? ''
      : `, until ${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  switch (scope) {
    case 'once':
      return until;
    case 'session':
      return `, in this session${until}`;
    case 'minutes':
      return until;
    case 'always':
      return ', until someone revokes it';
  }
}
