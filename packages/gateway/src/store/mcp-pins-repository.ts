import type { Store } from './store.ts';
import type { McpPinsTable } from './tables/tool-tables.ts';

export type McpPinRow = Readonly<McpPinsTable>;

/** Rows of `mcp_pins`. What they mean is the business of `executors/mcp`. */
export class McpPinsRepository {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async ofServer(server: string): Promise<readonly McpPinRow[]> {
    return this.#store.db
      .selectFrom('mcp_pins')
      .selectAll()
      .where('server', '=', server)
      .orderBy('kind')
      .orderBy('name')
      .execute();
  }

  /** Writes all of them or none; a row that is there is replaced. */
  async put(rows: readonly McpPinRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#store.db.transaction().execute(async (transaction) => {
      for (const row of rows) {
        const { server: _server, kind: _kind, name: _name, ...rest } = row;
        await transaction
          .insertInto('mcp_pins')
          .values(row)
          .onConflict((conflict) => conflict.columns(['server', 'kind', 'name']).doUpdateSet(rest))
          .execute();
      }
    });
  }

  async remove(server: string, kind: string, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#store.db
      .deleteFrom('mcp_pins')
      .where('server', '=', server)
      .where('kind', '=', kind)
      .where('name', 'in', [...names])
      .execute();
  }
}
