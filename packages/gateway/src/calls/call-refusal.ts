import { type Action, ERRORS, SallyportError, type Verdict } from '@sallyport/protocol';
import { RpcError } from '../shared/json-rpc.ts';
import type { CallRefusal, ServerAnswer } from './tool-call.ts';

/** The gate's no, with everything that the agent may know of it. */
export function refusalOf(verdict: Verdict & { readonly kind: 'deny' }, action: Action): CallRefusal {
  const { violation, reason, layer, rule, note, approval } = verdict;
  const hint = verdict.hint ?? ERRORS[violation].hint;
  return {
    code: violation,
    message: note === undefined ? reason : `${reason}: ${note}`,
    ...(hint === undefined ? {} : { hint }),
    ...(layer === undefined ? {} : { layer }),
    ...(rule === undefined ? {} : { rule }),
    actionId: action.id,
    ...(approval === undefined ? {} : { approval }),
  };
}

/** The error that a server answered with; undefined for every other failure. */
export function serverAnswer(error: unknown): ServerAnswer | undefined {
  if (!(error instanceof RpcError)) return undefined;
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

/** A failure while it was carried out. SECURITY: what is not ours may hold anything, so nothing of it is told. */
export function refusalFrom(error: unknown, action: Action): CallRefusal {
  const answered = serverAnswer(error);
  const known =
    error instanceof SallyportError
      ? error
      : answered === undefined
        ? new SallyportError('Internal')
        : new SallyportError('UpstreamBroken', { message: `the tool server said: ${answered.message}` });
  const { code, message, hint } = known;
  return { code, message, ...(hint === undefined ? {} : { hint }), actionId: action.id };
}

/** One sentence or two that a model can act on. */
export function refusalText({ code, message, hint, approval }: CallRefusal): string {
  const parts = [`${code}: ${message}.`];
  if (hint !== undefined) parts.push(`${hint[0]?.toUpperCase() ?? ''}${hint.slice(1)}.`);
  if (approval !== undefined && code === 'ApprovalPending') parts.push(`Approval: ${approval}.`);
  return parts.join(' ');
}
