import { SallyportError } from '@sallyport/protocol/error';
import type { Output } from './output.ts';

/** What a person is told about a failure: what, why or what else, and the one command that helps. */
export interface Trouble {
  readonly what: string;
  readonly why?: string | undefined;
  /** a whole command line */
  readonly try?: string | undefined;
}

const COMMAND_IN_WORDS = /`((?:npx )?sallyport [a-z][^`]*|sudo [^`]+|chmod [^`]+|npm [^`]+)`/;

/** Commands for failures whose own words name none. */
const HELPS: Readonly<Record<string, string>> = {
  GatewayNotRunning: 'sallyport start',
  ConfigInvalid: 'sallyport config check',
  StoreUnusable: 'sallyport doctor',
  SandboxUnavailable: 'sallyport doctor',
  Internal: 'sallyport doctor',
};

/** Prints what went wrong, in one style for every command. Never a stack trace. */
export function printError(error: unknown, output: Output, asJson: boolean): void {
  const known =
    error instanceof SallyportError
      ? error
      : new SallyportError('Internal', { message: error instanceof Error ? error.message : String(error) });
  if (asJson) output.json(known.toBody());
  else printTrouble(troubleOf(known), output);
}

/** `error: what`, then why, then `try: command`. */
export function printTrouble(trouble: Trouble, output: Output): void {
  output.note(`${output.style('red', 'error:')} ${trouble.what}`);
  if (trouble.why !== undefined && trouble.why !== '')
    for (const line of trouble.why.split('\n')) output.note(`  ${line}`);
  if (trouble.try !== undefined) output.note(`  ${output.style('bold', 'try:')} ${trouble.try}`);
}

function troubleOf({ code, message, hint }: SallyportError): Trouble {
  const command = COMMAND_IN_WORDS.exec(hint ?? '')?.[1] ?? HELPS[code];
  // A hint that says nothing but the command is the command.
  const says = (hint ?? '')
    .replace(COMMAND_IN_WORDS, '')
    .replace(/\b(?:run|start it with|see)\b|[\s,.;]/g, '');
  return {
    what: message,
    ...(says === '' ? {} : { why: hint }),
    ...(command === undefined ? {} : { try: command }),
  };
}
