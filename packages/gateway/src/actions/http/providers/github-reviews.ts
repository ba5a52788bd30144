import type { Finding } from '../finding.ts';
import type { RequestView } from '../request-view.ts';

const REMARKS: ReadonlySet<unknown> = new Set([undefined, 'COMMENT', 'REQUEST_CHANGES']);

/** Whether a review says something and approves nothing. */
export const isRemark = (event: unknown): boolean => REMARKS.has(event);

/**
 * Raises what a write of GitHub's REST API is by what its body says: an approval counts for the rules of a branch, and what
 * is made for all to read is published.
 *
 * SECURITY: a yes to a remark, or to something private, is none to these [GA-11].
 */
export function withBody(finding: Finding, view: RequestView): Finding {
  const body = view.target.query === '' ? view.wholeJson() : undefined;
  switch (finding.operation) {
    case 'pulls/create-review':
    case 'pulls/submit-review':
      return body !== undefined && isRemark(body.event) ? finding : asCritical(finding);
    case 'repos/create-for-authenticated-user':
    case 'repos/create-in-org':
    case 'repos/create-using-template': {
      const isPrivate = body?.private === true && (body.visibility ?? 'private') === 'private';
      return isPrivate ? finding : asCritical(finding);
    }
    case 'gists/create':
      return body !== undefined && (body.public ?? false) === false ? finding : asCritical(finding);
    // open: any operation
    default:
      return finding;
  }
}

const asCritical = (finding: Finding): Finding => ({ ...finding, risk: 'critical' });
