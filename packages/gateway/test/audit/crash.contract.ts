import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { rounds } from '@sallyport/testkit/rounds';
import { expect, test } from 'vitest';
import { loadSigningKey, verifyTrail } from '../../src/audit/index.ts';
import { openStore } from '../../src/store/index.ts';
import { type TrailHome, trailHome } from './trail-harness.ts';

const ACKNOWLEDGED = rounds(10_000);
const WRITER = new URL('./fixtures/crash-writer.ts', import.meta.url).pathname;

/** Kills a writer at random instants until so many writes were acknowledged, then looks for every one of them. */
export function testCrashes(name: string, locate: (home: TrailHome) => Promise<string>): void {
  test(`[TR-1] what was acknowledged survives kill -9: ${name}`, { timeout: 300_000 }, async () => {
    await using home = await trailHome();
    const where = await locate(home);
    const acknowledged: string[] = [];
    while (acknowledged.length < ACKNOWLEDGED) {
      // Never "just the few that are missing": a run that is killed at its first line may give none at all.
      acknowledged.push(...(await runUntilKilled(home, where, 1 + Math.random() * 2_000)));
    }

    const store = await openStore(where.startsWith('postgres:') ? { url: where } : { sqliteFile: where });
    try {
      const events = await store.db.selectFrom('events').select(['tenant', 'seq', 'id']).execute();
      const stored = new Set(events.map(({ tenant, seq, id }) => `event ${tenant} ${seq} ${id}`));
      const keyRows = await store.db.selectFrom('api_keys').select('id').execute();
      for (const { id } of keyRows) stored.add(`key default 0 ${id}`);
      const sessionRows = await store.db.selectFrom('sessions').select('id').execute();
      for (const { id } of sessionRows) stored.add(`session default 0 ${id}`);
      expect(acknowledged.filter((line) => !stored.has(line))).toEqual([]);
      expect(new Set(acknowledged).size).toBe(acknowledged.length);
      expect(keyRows.length).toBeGreaterThan(0);
      expect(sessionRows.length).toBeGreaterThan(0);

      const { publicKey } = loadSigningKey(home.keyFile);
      const report = await verifyTrail({ store, publicKeys: [publicKey] });
      expect(report).toMatchObject({ ok: true, tenants: [{ tenant: 'default' }, { tenant: 'other' }] });
      for (const { tenant, events: count } of report.tenants) {
        expect(events.filter((event) => event.tenant === tenant)).toHaveLength(count);
      }
    } finally {
      await store.close();
    }
  });
}

async function runUntilKilled(home: TrailHome, where: string, after: number): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER, where, home.keyFile, home.folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may be cut in two by the kill.
    if (/^(?:event|key|session) \S+ \d+ (?:evt_[0-9a-z]{26}|(?:key|sess)_[\d-]+)$/.test(line))
      lines.push(line);
    if (lines.length >= after) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  expect(`${signal} ${errors}`).toBe('SIGKILL ');
  return lines.filter((line, index) => index < lines.length - 1 || line.startsWith('event'));
}
