import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../shared/secret.ts';
import { createEnvSource, createFileSource, createNamedSource } from './local-sources.ts';
import { resolveSecretReference } from './resolve-secret-reference.ts';
import type { SecretSource } from './secret-source.ts';

const CANARY = 'canary-4711';
const never = new AbortController().signal;

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'hook.secret'), `${CANARY}\n`, { mode: 0o600 });
  return folder;
}

async function refusal(reading: Promise<Secret>): Promise<SallyportError> {
  const error: unknown = await reading.then(
    () => new Error('nothing was refused'),
    (caught: unknown) => caught,
  );
  if (error instanceof SallyportError) return error;
  throw error;
}

/** Everything of an error that could be printed somewhere. */
function printed(error: SallyportError): string {
  return JSON.stringify([error.message, error.hint, error.details, String(error.cause), error.stack]);
}

describe('a reference to a secret', () => {
  test('is read from its source', async () => {
    const folder = home();
    const sources = [
      createEnvSource({ TOKEN: CANARY }),
      createFileSource(folder),
      createNamedSource(async (name) => new Secret(`${CANARY} of ${name}`)),
    ];
    const read = async (reference: string) =>
      (await resolveSecretReference(reference, sources, never)).reveal();
    expect(await read('env:TOKEN')).toBe(CANARY);
    expect(await read('file:hook.secret')).toBe(CANARY);
    expect(await read(`file:${join(folder, 'hook.secret')}`)).toBe(CANARY);
    expect(await read('secret:hook')).toBe(`${CANARY} of hook`);
  });

  test.each([
    { reference: 'env:MISSING', why: 'unset' },
    { reference: 'env:EMPTY', why: 'empty' },
    { reference: 'env:constructor', why: 'what every object inherits' },
    { reference: 'file:missing', why: 'no file' },
    { reference: 'file:.', why: 'a folder' },
    { reference: 'file:a\0b', why: 'a NUL in a path' },
    { reference: 'vault:kv/x', why: 'an unknown source' },
    { reference: '', why: 'nothing' },
    { reference: 'env:', why: 'no name' },
    { reference: 'TOKEN', why: 'no source' },
    { reference: 'ENV:TOKEN', why: 'the scheme is lower case' },
  ])('that leads nowhere is refused: $why', async ({ reference }) => {
    const sources = [createEnvSource({ EMPTY: '' }), createFileSource(home())];
    expect((await refusal(resolveSecretReference(reference, sources, never))).code).toBe('SecretUnreadable');
  });

  test('[CR-1] to a file that others may read is refused without its content', async () => {
    const folder = home();
    chmodSync(join(folder, 'hook.secret'), 0o640);
    const error = await refusal(
      resolveSecretReference('file:hook.secret', [createFileSource(folder)], never),
    );
    expect(error.code).toBe('SecretExposed');
    expect(printed(error)).not.toContain(CANARY);
  });

  test('[CR-1] that is a pasted secret is not repeated', async () => {
    const error = await refusal(resolveSecretReference(CANARY, [createEnvSource({})], never));
    expect(printed(error)).not.toContain(CANARY);
    expect(error.hint).toBe('use one of `env:…`');
  });

  test('[CR-1] whose source fails with the value in its words is refused without them', async () => {
    const leaky = createNamedSource(async () => {
      throw new Error(`bad secret ${CANARY}`);
    });
    const error = await refusal(resolveSecretReference('secret:x', [leaky], never));
    expect(error.message).toBe('reading `secret:x` failed');
    expect(printed(error)).not.toContain(CANARY);
  });

  test('whose source never answers is refused in time, or as soon as nobody waits', async () => {
    const deaf: SecretSource = { scheme: 'secret', read: () => new Promise(() => {}) };
    const late = await refusal(resolveSecretReference('secret:x', [deaf], never, 10));
    expect(late.message).toBe('reading `secret:x` did not answer in time');
    const waiting = new AbortController();
    const reading = refusal(resolveSecretReference('secret:x', [deaf], waiting.signal));
    waiting.abort();
    expect((await reading).message).toBe('reading `secret:x` was interrupted');
    const gone = await refusal(resolveSecretReference('secret:x', [deaf], AbortSignal.abort()));
    expect(gone.message).toBe('reading `secret:x` was interrupted');
  });
});
