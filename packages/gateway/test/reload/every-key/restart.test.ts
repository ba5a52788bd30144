import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestCa, startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsRestart } from '../../../src/config/reload.ts';
import { all, at, type Change, type Draft } from './cases.ts';
import { put } from './run-group.ts';
import { schemaPaths } from './schema-paths.ts';

const TLS = { cert: 'one.pem', key: 'one.key' };

/** Another value for each key that waits for a restart, beside the one that the gateway was started with. */
export const RESTART_CASES: Readonly<Record<string, Change>> = {
  'store.url': at('store.url', 'postgres://ana@127.0.0.1:1/other'),
  'api.host': at('api.host', '127.0.0.2'),
  'api.ports.api': at('api.ports.api', 9180),
  'api.ports.proxy': at('api.ports.proxy', 9181),
  'api.ports.ssh': at('api.ports.ssh', 9122),
  'api.ports.operator': at('api.ports.operator', 9183),
  'api.tls.cert': at('api.tls.cert', 'two.pem'),
  'api.tls.key': at('api.tls.key', 'two.key'),
  'api.insecure': all(at('api.tls', undefined), at('api.insecure', true)),
};

describe('[CF-1] keys that wait for a restart', () => {
  let gateway: TestGateway;
  const base: Draft = { tenants: { default: {} } };
  beforeAll(async () => {
    gateway = await startTestGateway({ config: JSON.stringify(base) });
    const { cert, key } = await (await createTestCa()).issue(['localhost']);
    for (const name of ['one', 'two']) {
      await writeFile(join(gateway.home, `${name}.pem`), cert);
      await writeFile(join(gateway.home, `${name}.key`), key, { mode: 0o600 });
    }
  });
  afterAll(() => gateway.close());

  const waiting = schemaPaths().filter(needsRestart);

  test('are all here, and no other is', () => {
    expect(waiting.toSorted()).toEqual(Object.keys(RESTART_CASES).toSorted());
  });

  for (const [key, change] of Object.entries(RESTART_CASES)) {
    test(`${key} is named in the log, by \`status\` and by a check, until it is changed back`, async () => {
      const draft = structuredClone(base);
      change(draft);
      if (key.startsWith('api.tls'))
        at('api.tls', { ...TLS, ...(draft['api'] as { tls: object }).tls })(draft);
      const name = key.startsWith('api.tls') ? 'api.tls' : key;
      const logged = gateway.log.length;
      expect(await put({ gateway }, draft)).toEqual([name]);
      const status = (await gateway.operator('/v1/status')).json();
      expect(status).toMatchObject({ config: { needs_restart: [name] } });
      expect(gateway.log.slice(logged).join('')).toContain(`in force from the next start on: ${name}`);
      const file = join(gateway.home, 'other.yaml');
      await writeFile(file, JSON.stringify(draft));
      const compared = await gateway.operator('/v1/config/compare', { json: { file } });
      expect(compared.json()).toEqual({ needs_restart: [name] });
      // It runs on as it was started.
      expect((await gateway.agent('/healthz')).status).toBe(200);
      expect(await put({ gateway }, base)).toEqual([]);
    });
  }
});
