import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { requireEngine } from '@sallyport/testkit/needs';
import { describe, expect, test } from 'vitest';
import { Secret } from '../shared/secret.ts';
import { writeFiles } from './load-config.fixture.ts';
import { readSecretFile, writeSecretFile } from './secret-file.ts';

const root = requireEngine('root');

function secretFile(content: string | Uint8Array, bits = 0o600): string {
  const file = join(writeFiles({ secret: content }), 'secret');
  chmodSync(file, bits);
  return file;
}

function refusal(read: () => unknown): SallyportError {
  try {
    read();
  } catch (error) {
    if (error instanceof SallyportError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a secret file', () => {
  test.each([
    { why: 'as it is', content: 'hunter2', value: 'hunter2' },
    { why: 'one line end is not part of it', content: 'hunter2\n', value: 'hunter2' },
    { why: 'nor is that of Windows', content: 'hunter2\r\n', value: 'hunter2' },
    { why: 'blanks and inner lines are', content: ' a\nb \n', value: ' a\nb ' },
  ])('is read: $why', ({ content, value }) => {
    expect(readSecretFile(secretFile(content)).reveal()).toBe(value);
    expect(readSecretFile(secretFile(content, 0o400)).reveal()).toBe(value);
  });

  test.each(['644', '640', '604', '620', '602', '601', '777'])(
    '[CR-1] is refused when others may touch it: mode %s',
    (bits) => {
      const file = secretFile('hunter2', Number.parseInt(bits, 8));
      const error = refusal(() => readSecretFile(file));
      expect(error.code).toBe('SecretExposed');
      expect(error.hint).toContain(`chmod 600 ${file}`);
      expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain('hunter2');
    },
  );

  test('is judged where a link leads', () => {
    const file = secretFile('hunter2', 0o644);
    symlinkSync(file, `${file}.link`);
    expect(refusal(() => readSecretFile(`${file}.link`)).code).toBe('SecretExposed');
    chmodSync(file, 0o600);
    expect(readSecretFile(`${file}.link`).reveal()).toBe('hunter2');
  });

  test.skipIf(root.missing)(`is refused when it belongs to another user (${root.install})`, () => {
    const file = secretFile('hunter2');
    chownSync(file, 12_345, 12_345);
    expect(refusal(() => readSecretFile(file))).toMatchObject({ code: 'SecretExposed' });
  });

  test.each([
    { why: 'empty', content: '' },
    { why: 'only a line end', content: '\n' },
    { why: 'a NUL', content: 'a\0b' },
    { why: 'no UTF-8', content: Uint8Array.of(0xff, 0xfe) },
    { why: 'larger than any secret', content: 'x'.repeat(65_537) },
  ])('is refused: $why', ({ content }) => {
    expect(refusal(() => readSecretFile(secretFile(content))).code).toBe('SecretUnreadable');
  });

  test('is refused when it is missing, a folder or a pipe, without waiting', () => {
    const folder = writeFiles({});
    execFileSync('/usr/bin/mkfifo', ['-m', '600', join(folder, 'pipe')]);
    for (const path of [join(folder, 'missing'), folder, join(folder, 'pipe')]) {
      expect(refusal(() => readSecretFile(path)).code).toBe('SecretUnreadable');
    }
  });
});

describe('writing a secret file', () => {
  test('makes it readable for its owner only, whatever the umask, and replaces the old one', () => {
    const file = secretFile('old', 0o644);
    const before = process.umask(0o777);
    try {
      writeSecretFile(file, new Secret('new'));
    } finally {
      process.umask(before);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readSecretFile(file).reveal()).toBe('new');
    expect(readdirSync(join(file, '..'))).toEqual(['secret']);
  });

  test('keeps an existing one when it must not exist', () => {
    const file = secretFile('old');
    const error = refusal(() => writeSecretFile(file, new Secret('canary-new'), { exclusive: true }));
    expect(error.message).toMatch(/exists already$/);
    expect(error.message).not.toContain('canary-new');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(join(file, '..'))).toEqual(['secret']);
  });

  test('does not write through a link that someone put there', () => {
    const target = secretFile('victim');
    const folder = writeFiles({});
    symlinkSync(target, join(folder, 'token'));
    writeSecretFile(join(folder, 'token'), new Secret('new'));
    expect(readFileSync(target, 'utf8')).toBe('victim');
  });

  test('says when it cannot be written', () => {
    const folder = writeFiles({});
    const error = refusal(() => writeSecretFile(join(folder, 'no/such/folder'), new Secret('x')));
    expect(error.message).toMatch(/cannot be written \(ENOENT\)$/);
    writeFileSync(join(folder, 'file'), '');
    expect(refusal(() => writeSecretFile(join(folder, 'file/below'), new Secret('x'))).code).toBe(
      'SecretUnreadable',
    );
  });
});
