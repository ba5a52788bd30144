import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { requireEngine, waitFor } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandPrefix } from '../../src/executors/command/command-executor.ts';
import { openSsh, type SshPlace } from './ssh-fixture.ts';

const needs = requireEngine('bubblewrap', 'ssh');

describe.skipIf(needs.missing)(`many at the SSH door (${needs.install})`, () => {
  let place: SshPlace;
  beforeAll(async () => {
    place = await openSsh({}, { gh: 'printf "%s" "$3"' });
  });
  afterAll(() => place[Symbol.asyncDispose]());

  async function stranger(): Promise<Socket> {
    const socket = connect(place.gateway.ports.ssh, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket.resume();
  }

  test('a thousand connections that say nothing keep nobody out', async () => {
    const open = await Promise.all(Array.from({ length: rounds(1_000) }, stranger));
    expect(await place.ssh('gh search repos x')).toMatchObject({ code: 0, stdout: 'x' });
    // Of those that prove nothing, 64 are kept.
    await waitFor('the end of the others', () =>
      expect(open.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(64),
    );
    for (const socket of open) socket.destroy();
  });

  test('noise ends its own connection and nothing else', async () => {
    for (let round = 0; round < rounds(200); round += 1) {
      const socket = await stranger();
      const closed = once(socket, 'close');
      socket.write(round % 2 === 0 ? 'SSH-2.0-noise\r\n' : '');
      socket.end(randomBytes(1 + Math.floor(Math.random() * 4_000)));
      await closed;
    }
    expect(await place.ssh('gh search repos x')).toMatchObject({ code: 0, stdout: 'x' });
  });

  test('ten agents do not disturb each other, also when some leave at any moment', async () => {
    const agents = await Promise.all(Array.from({ length: 10 }, () => place.gateway.openSession()));
    const each = async (token: string, agent: number): Promise<void> => {
      for (let round = 0; round < rounds(20); round += 1) {
        const word = `w${agent}-${round}`;
        const started = place.start(`gh search repos ${word}`, { token });
        const leaves = Math.random() < 0.2;
        if (leaves) setTimeout(() => started.child.kill('SIGKILL'), Math.random() * 200);
        const { stdout, code } = await started.ended;
        if (!leaves) expect({ stdout, code }).toEqual({ stdout: word, code: 0 });
      }
    };
    await Promise.all(agents.map(({ session_token: token }, agent) => each(token, agent)));
    await waitFor('the last folder', () => {
      const prefix = commandPrefix(place.gateway.home);
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))).toEqual([]);
    });
  });
});
