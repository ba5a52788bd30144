import type { Finding } from '../finding.ts';
import { type JsonMembers, stringMember } from '../request-body.ts';
import type { RequestView } from '../request-view.ts';
import { branchRef } from './github-content.ts';
import { isPlainTalk, onlyDescribe } from './plain-talk.ts';

/** Members that a request of the operation may have: with another one it may be more than it looks like. */
const MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  'pulls/create': new Set(['title', 'head', 'base', 'body', 'draft', 'maintainer_can_modify']),
  'issues/create-comment': new Set(['body']),
  'issues/add-labels': new Set(['labels']),
  'pulls/create-review-comment': new Set([
    ...['body', 'commit_id', 'path', 'line', 'side', 'start_line', 'start_side', 'in_reply_to', 'position'],
    'subject_type',
  ]),
  'pulls/create-reply-for-review-comment': new Set(['body']),
};

/**
 * Adds that a write of GitHub's REST API is collaboration in its repository: opening a pull request, a comment that is
 * plain talk, a label that only describes. Merging, approving, closing, editing what others wrote are not.
 */
export function withCollaboration(finding: Finding, view: RequestView, segments: readonly string[]): Finding {
  const { operation = '', object: repository, repo } = finding;
  const members = Object.hasOwn(MEMBERS, operation) ? MEMBERS[operation] : undefined;
  if (members === undefined || repo !== undefined || repository === undefined) return finding;
  // SECURITY: where a path or a query could mean something else to the server, it is not said [GA-15].
  if (view.target.veiled || view.target.query !== '') return finding;
  const body = view.wholeJson();
  if (body === undefined || !Object.keys(body).every((name) => members.has(name))) return finding;
  const collaboration = { repository, area: 'collaboration', refs: [] } as const;
  switch (operation) {
    case 'pulls/create': {
      const head = headOf(body, segments[1]);
      return head === '*' || !isPlainTalk(body.title) || !isPlainTalk(body.body ?? '')
        ? finding
        : { ...finding, repo: { ...collaboration, head } };
    }
    case 'issues/add-labels':
      return Array.isArray(body.labels) && onlyDescribe(body.labels)
        ? { ...finding, repo: collaboration }
        : finding;
    // open: the others are comments
    default:
      return isPlainTalk(body.body) ? { ...finding, repo: collaboration } : finding;
  }
}

/** `agent/x`, or `acme:agent/x` in a repository of acme: another owner's branch is another repository's. */
function headOf(body: JsonMembers, owner: string | undefined): string {
  const head = stringMember(body, 'head');
  const [, before, branch] = /^([^:]*):(.*)$/s.exec(head ?? '') ?? [];
  if (before === undefined) return branchRef(head);
  return before.toLowerCase() === owner?.toLowerCase() ? branchRef(branch) : '*';
}
