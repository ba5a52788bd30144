import { expect, test } from 'vitest';
import { checkForward } from './agent-sandbox.ts';

test('[JA-1] a port is forwarded only where the jail has a network of its own', () => {
  expect(() => checkForward({ forward: [5432] }, 'linux')).not.toThrow();
  expect(() => checkForward({ forward: [] }, 'darwin')).not.toThrow();
  expect(() => checkForward({ forward: [5432] }, 'darwin')).toThrow('a network of its own');
});
