import { expect, test } from 'vitest';
import { MemoryCoordination } from '../../coordination/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import { SshAuth } from './ssh-auth.ts';

const BLOB = Buffer.from('a key on the wire');
// `as`: what is asked of a session here is its name
const SESSION = { id: 'sess_1' } as SessionFacts;

function open(): SshAuth {
  const clock = { now: () => 0 };
  type Parts = ConstructorParameters<typeof SshAuth>[0];
  const sessions = {
    authenticate: async (token: string) => {
      if (token !== 'right') throw new Error('no');
      return SESSION;
    },
    peek: (id: string) => (id === SESSION.id ? SESSION : undefined),
    signalOf: () => new AbortController().signal,
  } as unknown as Parts['sessions'];
  return new SshAuth({ sessions, clock, coordination: new MemoryCoordination(clock) });
}

test('a wrong signature costs its address an attempt, as a wrong password does', async () => {
  const auth = open();
  for (let turn = 0; turn < 60; turn += 1) {
    expect(await auth.isExhausted('a')).toBe(false);
    const wrong =
      turn % 2 === 0
        ? ({ kind: 'wrong-signature', blob: BLOB } as const)
        : ({ kind: 'password', password: 'wrong' } as const);
    expect(await auth.authenticate(wrong, 'a')).toBeUndefined();
  }
  expect(await auth.isExhausted('a')).toBe(true);
  expect(await auth.authenticate({ kind: 'password', password: 'right' }, 'a')).toBeUndefined();
  expect(await auth.authenticate({ kind: 'password', password: 'right' }, 'b')).toEqual(SESSION);
});

test('a key whose signatures are wrong again and again is good for nobody, from wherever they come', async () => {
  const auth = open();
  await auth.register(BLOB, SESSION);
  const right = { kind: 'publickey', blob: BLOB, isProven: true } as const;
  expect(await auth.authenticate(right, 'b')).toEqual(SESSION);
  for (let turn = 0; turn < 20; turn += 1)
    await auth.authenticate({ kind: 'wrong-signature', blob: BLOB }, `host-${turn}`);
  expect(await auth.authenticate(right, 'b')).toBeUndefined();
});
