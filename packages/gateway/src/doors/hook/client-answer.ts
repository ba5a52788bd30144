import type { HookAnswer, HookClient, JsonObject } from '@sallyport/protocol';
import type { HookEventKind } from './hook-event.ts';

/** What is said to a hook, before it is put in its client's form. */
export interface Said {
  readonly decision: HookAnswer['decision'];
  readonly reason?: string;
  /** what a person wrote beside a yes */
  readonly note?: string;
  /** what the tool is to be called with instead */
  readonly input?: JsonObject;
}

/**
 * A decision in the form that one client reads (Claude Code 2.1.325, Codex 0.166.0, Pi 0.87.1); null: print nothing.
 *
 * Nothing is how Codex is told to go on: it knows no plain `allow` before a call.
 */
export function clientAnswer(client: HookClient, kind: HookEventKind, said: Said): HookAnswer['output'] {
  switch (client) {
    case 'claude-code':
      return kind === 'PreToolUse' ? beforeUse(said) : onRequest(said, true);
    case 'codex':
      if (kind === 'PermissionRequest') return onRequest(said, false);
      return said.decision === 'allow' && said.input === undefined ? noted(said) : beforeUse(said);
    case 'pi':
      if (said.decision === 'deny') return { block: true, reason: said.reason };
      return { block: false, ...(said.input === undefined ? {} : { input: said.input }) };
  }
}

function contextOf(note: string | undefined): { readonly additionalContext?: string } {
  return note === undefined ? {} : { additionalContext: `The person who allowed this call wrote: ${note}` };
}

function noted({ note }: Said): HookAnswer['output'] {
  if (note === undefined) return null;
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...contextOf(note) } };
}

function beforeUse({ decision, reason, input, note }: Said): HookAnswer['output'] {
  if (decision === 'pass') return null;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: decision,
      ...(reason === undefined ? {} : { permissionDecisionReason: reason }),
      ...(input === undefined ? {} : { updatedInput: input }),
      ...contextOf(note),
    },
  };
}

function onRequest({ decision, reason, input }: Said, takesInput: boolean): HookAnswer['output'] {
  if (decision === 'pass') return null;
  const isChanged = input !== undefined;
  const answer =
    decision === 'deny'
      ? { behavior: 'deny', message: reason }
      : // What a person changed must not run unchanged.
        isChanged && !takesInput
        ? { behavior: 'deny', message: 'a person changed this call, and this client takes no change here' }
        : { behavior: 'allow', ...(isChanged ? { updatedInput: input } : {}) };
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: answer } };
}
