import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type McpPinRow,
  McpPinsRepository,
  openStore,
  type Store,
  type StoreLocation,
} from '../../src/store/index.ts';

const pin = (over: Partial<McpPinRow> = {}): McpPinRow => ({
  server: 'web',
  kind: 'tool',
  name: 'fetch',
  accepted_hash: 'a1',
  accepted: '{"name":"fetch"}',
  accepted_at: 1_000,
  accepted_by: 'config',
  pending_hash: null,
  pending: null,
  pending_at: null,
  ...over,
});

/** What both engines promise of the rows of `mcp_pins`. */
export function describeMcpPinsContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`pins of MCP servers on ${name}`, () => {
    let store: Store;
    let pins: McpPinsRepository;
    beforeAll(async () => {
      store = await openStore(await fresh());
      pins = new McpPinsRepository(store);
    });
    beforeEach(async () => {
      await store.db.deleteFrom('mcp_pins').execute();
    });
    afterAll(() => store.close());

    test('a pin comes back as it was stored, of its own server only', async () => {
      await pins.put([pin(), pin({ kind: 'instructions', name: '' }), pin({ server: 'other' })]);
      expect(await pins.ofServer('web')).toEqual([pin({ kind: 'instructions', name: '' }), pin()]);
    });

    test('a later one takes the place of the earlier one', async () => {
      const changed = pin({ pending_hash: 'b2', pending: '{}', pending_at: 2_000 });
      await pins.put([pin(), pin({ name: 'search' })]);
      await pins.put([changed]);
      expect(await pins.ofServer('web')).toEqual([changed, pin({ name: 'search' })]);
    });

    test('[TO-2] all of them are written, or none', async () => {
      // `as`: what the database refuses.
      const broken = pin({ name: null as unknown as string });
      await expect(pins.put([pin(), broken])).rejects.toThrow();
      expect(await pins.ofServer('web')).toEqual([]);
    });

    test('removing is about those names alone', async () => {
      await pins.put([pin(), pin({ name: 'search' }), pin({ kind: 'instructions', name: '' })]);
      await pins.remove('web', 'tool', ['search', '']);
      expect((await pins.ofServer('web')).map(({ kind, name: of }) => [kind, of])).toEqual([
        ['instructions', ''],
        ['tool', 'fetch'],
      ]);
      await pins.remove('web', 'tool', []);
      expect(await pins.ofServer('web')).toHaveLength(2);
    });
  });
}
