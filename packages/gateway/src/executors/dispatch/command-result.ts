import type { ErrorCode, JsonObject } from '@sallyport/protocol';
import type { ToolResult } from '../tools/tool-path.ts';

/** How a command ended, whoever ran it. */
export interface CommandEnd {
  /** the program's own, or 128 + the signal that ended it */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** the output limit ended it; what is here came before */
  readonly truncated: boolean;
  readonly error?: 'timeout' | 'not_started';
}

/** The same with no more bytes than allowed: whoever ran it may not have counted. */
export function boundedEnd(end: CommandEnd, atMost: number): CommandEnd {
  const out = Buffer.from(end.stdout);
  const err = Buffer.from(end.stderr);
  if (out.length + err.length <= atMost) return end;
  const stdout = out.subarray(0, atMost);
  return {
    ...end,
    stdout: wholeText(stdout),
    stderr: wholeText(err.subarray(0, atMost - stdout.length)),
    truncated: true,
  };
}

/** A character that the limit cuts in two is left out. */
function wholeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}

/** What the caller is told. Output is data; a command that failed is the tool's own error, not a refusal. */
export function toToolResult(end: CommandEnd): ToolResult {
  const violation = violationOf(end);
  const notes = [
    ...(end.exitCode === 0 || violation !== undefined ? [] : [`exit code ${end.exitCode}`]),
    ...(violation === undefined ? [] : [violation]),
  ];
  const text = [end.stdout, end.stderr, ...notes].filter((part) => part !== '').join('\n');
  const structured: JsonObject = {
    exit_code: end.exitCode,
    stdout: end.stdout,
    stderr: end.stderr,
    duration_ms: Math.round(end.durationMs),
    truncated: end.truncated,
    ...(violation === undefined ? {} : { violation }),
  };
  return {
    content: [{ type: 'text', text }],
    structuredContent: structured,
    ...(end.exitCode !== 0 || violation !== undefined ? { isError: true } : {}),
  };
}

/** The code of what stopped it; undefined when it ended by itself. */
export function violationOf({ truncated, error }: CommandEnd): ErrorCode | undefined {
  if (truncated) return 'OutputSizeLimitExceeded';
  if (error === 'timeout') return 'CommandTimeout';
  return error === 'not_started' ? 'CommandNotStarted' : undefined;
}
