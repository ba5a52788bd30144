import { canonicalJson, sha256Hex } from '../../shared/canonical-json.ts';
import type { Approval, Question } from './approval.ts';

/** Who asks for what, in the terms that count: a caller that comes back with the same takes its question over. */
export function questionKey(question: Question): string {
  const { tenant, fingerprint, actor, door, type, strength, quorum, credential, blocked, escalation } =
    question;
  return sha256Hex(
    canonicalJson({
      tenant,
      fingerprint,
      actor,
      door,
      type,
      strength,
      quorum,
      credential: credential ?? null,
      blocked,
      escalation: escalation ?? null,
    }),
  );
}

/**
 * What a message about it shows: the status and, while it is pending, every word.
 *
 * SECURITY: an answer counts only for what its message showed [AP-1].
 */
export function shownAs(approval: Approval): string {
  if (approval.status !== 'pending') return approval.status;
  const { title, preview, does, reason, covers, credential, selfDeclared, tool, type, risk, actor, review } =
    approval;
  const asked = { title, preview, reason, covers, selfDeclared, tool, type, risk, actor };
  const named = does === undefined ? asked : { ...asked, does };
  const shown = review === undefined ? named : { ...named, review };
  return `pending:${sha256Hex(canonicalJson({ ...shown, credential: credential ?? null }))}`;
}
