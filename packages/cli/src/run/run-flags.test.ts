import { describe, expect, test } from 'vitest';
import { parseRunFlags, RunUsageError } from './run-flags.ts';

describe('what stands after `run`', () => {
  test.each([
    { why: 'the usual way', argv: ['--', 'claude', '--resume'], command: ['claude', '--resume'] },
    { why: 'without the dashes', argv: ['claude', '--agent', 'x'], command: ['claude', '--agent', 'x'] },
    {
      why: 'dashes of the agent’s own',
      argv: ['--', 'npm', 'run', '--', 'x'],
      command: ['npm', 'run', '--', 'x'],
    },
    { why: 'flags first', argv: ['--agent', 'dev', 'sh', '-c', '--json'], command: ['sh', '-c', '--json'] },
    { why: 'an agent that looks like a flag', argv: ['--', '--odd'], command: ['--odd'] },
  ])('$why: the agent’s command line is left as it is', ({ argv, command }) => {
    expect(parseRunFlags(argv).command).toEqual(command);
  });

  test('flags take their value from the next word or after `=`, and paths add up', () => {
    const words = ['--write=a=b', '--write', 'c d', '--unconfined', '--json', '--no-preset', '--', 'x'];
    expect(parseRunFlags(words)).toMatchObject({
      ...{ write: ['a=b', 'c d'], isUnconfined: true, json: true, usePreset: false, suggest: false },
    });
  });

  test.each([
    { why: 'a typo must not become an agent without a jail', argv: ['--unconfind', 'x'] },
    { why: 'a flag that takes no value', argv: ['--unconfined=no', 'x'] },
    { why: 'a short flag', argv: ['-w', 'x', 'y'] },
    { why: 'a preset that nobody knows', argv: ['--preset', 'cluade', 'x'] },
    { why: 'no value', argv: ['--workspace'] },
    { why: 'an empty value', argv: ['--workspace=', 'x'] },
    { why: 'no command', argv: ['--agent', 'dev'] },
    { why: 'an empty command', argv: ['--', ''] },
    { why: 'nothing', argv: [] },
  ])('$why is refused', ({ argv }) => {
    expect(() => parseRunFlags(argv)).toThrow(RunUsageError);
  });
});
