import { expect, test } from 'vitest';
import { Secret } from '../../shared/secret.ts';
import { createLogger } from './logger.ts';
import { Redactor } from './redactor.ts';

const CANARY = 'canary-4f9d1c77';

function setUp() {
  const lines: string[] = [];
  const redactor = new Redactor();
  redactor.learn(new Secret(CANARY));
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLogger({ level: 'trace', redactor, destination }) };
}

test('[CR-1] no log call lets a secret through: message, fields, errors with stack and cause, child loggers', () => {
  const { lines, log } = setUp();
  const cause = new Error(`inner ${CANARY}`);
  const error = Object.assign(new Error(`outer ${CANARY}`, { cause }), { url: `https://x:${CANARY}@host/` });
  log.info(`message ${CANARY}`);
  log.warn({ field: CANARY, deep: [{ [CANARY]: 1 }] }, 'fields');
  log.error(error);
  log.error({ err: new AggregateError([error], CANARY) }, 'aggregate');
  log.child({ bound: CANARY }).info('child');
  log.info('formatted %s %o', CANARY, { CANARY });
  log.info({ headers: { authorization: 'unknown-but-secret' } }, 'by name');
  expect(lines).toHaveLength(7);
  expect(lines.join('')).not.toMatch(/4f9d1c77|unknown-but-secret/);
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
});

test('a line is one JSON object with level, time and message, and says what was logged', () => {
  const { lines, log } = setUp();
  log.warn({ port: 7180 }, 'listening');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', port: 7180, msg: 'listening' });
  expect(lines[0]?.endsWith('\n')).toBe(true);
});
