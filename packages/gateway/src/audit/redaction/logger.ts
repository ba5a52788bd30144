import { type Logger, pino } from 'pino';
import type { Redactor } from './redactor.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly redactor: Redactor;
  /** where lines go: standard error, a file, a test's list */
  readonly destination: { write(line: string): void };
}

/**
 * The gateway's log: one JSON object a line.
 *
 * Promises that every line, whatever was logged (fields, message, error with stack and causes), has passed the
 * redactor as a whole.
 */
export function createLogger({ level, redactor, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      // SECURITY: the last step before the line leaves, so that no serializer and no child logger gets around it.
      hooks: { streamWrite: (line) => redactor.redactJsonLine(line) },
    },
    destination,
  );
}
