import { SallyportError } from '@sallyport/protocol';
import { type CommandOutcome, refusalText } from '../../calls/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import type { AgentServices } from '../../servers/index.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { visibleText } from '../../shared/visible-text.ts';
import type { SshExec } from './ssh-server.ts';

/** Exit codes of what never ran, as sysexits.h has them; a program of the gateway's list may use them too. */
const EXIT = { usage: 64, unavailable: 69, inside: 70, refused: 77 } as const;

export interface ExecParts extends Pick<AgentServices, 'commands' | 'sessions' | 'log'> {}

/** Who runs it: a session, and the host that it believes to talk to. */
export interface ExecOwner {
  readonly session: SessionFacts;
  readonly host?: string | undefined;
}

/**
 * Runs one command for its client, and says on stderr what keeps it waiting or refuses it. Nothing but the command itself
 * writes to stdout.
 */
export async function runExec(parts: ExecParts, { session, host }: ExecOwner, exec: SshExec): Promise<void> {
  const say = (text: string): void => void exec.stderr.write(`sallyport: ${visibleText(text)}\n`);
  const ended = parts.sessions.signalOf(session.id);
  const signal = AbortSignal.any([exec.gone, ended]);
  try {
    const outcome = await parts.commands.run({
      ...{ session, line: exec.command, host, env: exec.env, signal },
      caller: {
        stdin: exec.stdin,
        write: (channel, bytes) => written(exec[channel], bytes, exec.gone),
        onSignal: exec.onSignal,
      },
      onAsked: (approval) =>
        say(`waiting for a person to answer (${approval}); ending this cancels the question`),
    });
    const { said, end } = endingOf(outcome);
    if (said !== undefined) say(said);
    exec.exit(end);
  } catch (error) {
    if (!(error instanceof SallyportError)) parts.log.error({ err: error }, 'a command failed inside');
    const { code, message, hint } = error instanceof SallyportError ? error : new SallyportError('Internal');
    say(refusalText({ code, message, ...(hint === undefined ? {} : { hint }), actionId: '' }));
    exec.exit({ code: error instanceof SallyportError ? EXIT.refused : EXIT.inside });
  }
}

/** What the client is told, and the code or signal that it ends with. */
function endingOf(outcome: CommandOutcome): {
  readonly said?: string;
  readonly end: Parameters<SshExec['exit']>[0];
} {
  switch (outcome.kind) {
    case 'unreadable':
      return { said: outcome.sentence, end: { code: EXIT.usage } };
    case 'refused':
      return { said: refusalText(outcome.refusal), end: { code: EXIT.refused } };
    case 'failed':
      return { said: refusalText(outcome.refusal), end: { code: EXIT.unavailable } };
    case 'done': {
      const { code, signal, cut } = outcome;
      const end = signal === null ? { code: code ?? EXIT.inside } : { signal };
      return { ...(cut === undefined ? {} : { said: CUT[cut] }), end };
    }
    default:
      return assertNever(outcome);
  }
}

const CUT = {
  timeout: 'the command took too long and was ended (`ssh.timeout_seconds`)',
  output: 'the command wrote too much and was ended',
  input: 'the command was sent too much and was ended',
  left: 'the session or the connection ended, and the command with it',
} as const;

/** Resolves once the client takes more; at once when it is gone. */
function written(stream: SshExec['stdout'], bytes: Uint8Array, gone: AbortSignal): void | Promise<void> {
  if (gone.aborted || !stream.writable || stream.write(bytes)) return;
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      gone.removeEventListener('abort', done);
      resolve();
    };
    stream.once('drain', done);
    gone.addEventListener('abort', done, { once: true });
  });
}
