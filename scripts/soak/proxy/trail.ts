import { DatabaseSync } from 'node:sqlite';
import { Ledger } from './ledger.ts';

/** What a trail says about the requests of a soak. */
export interface TrailCount {
  /** verdicts on each request */
  readonly judged: Ledger;
  /** ends of each request that was allowed */
  readonly ended: Ledger;
  /** ends of requests that had no verdict, or had ended already */
  readonly strangers: number;
  /** allowed, and never ended */
  readonly unended: number;
  /** requests that were refused before there was anything to judge */
  readonly blocked: number;
}

interface Event {
  readonly type: string;
  readonly action_id?: string;
  readonly data: {
    readonly verdict?: string;
    readonly judged?: string;
    readonly target?: { readonly path?: string };
  };
}

const QUERY = "select json from events where tenant = 'default' order by seq";

/** Reads the trail of a gateway that has stopped. */
export function countTrail(file: string): TrailCount {
  const database = new DatabaseSync(file, { readOnly: true });
  const [judged, ended] = [new Ledger(), new Ledger()];
  const open = new Map<string, number>();
  let [strangers, blocked] = [0, 0];
  // A verdict stands before the end of what it allowed: only what is under way is remembered.
  for (const { json } of database.prepare(QUERY).iterate()) {
    // `as`: the gateway's own event, which it wrote itself
    const { type, action_id: id = '', data } = JSON.parse(String(json)) as Event;
    const number = Number(/^\/r\/(\d+)$/.exec(data.target?.path ?? '')?.[1] ?? Number.NaN);
    if (type === 'ProxyEvent::RequestBlocked') blocked += 1;
    else if (type === 'ActionEvent::Judged') {
      judged.add(number);
      if (data.verdict === 'allow') open.set(id, number);
    } else if (type === 'ProxyEvent::RequestAllowed') {
      // An end that came soon enough is one event with its verdict.
      if (data.target !== undefined) judged.add(number);
      const ending = data.target === undefined ? open.get(id) : number;
      open.delete(id);
      if (ending === undefined) strangers += 1;
      else ended.add(ending);
    }
  }
  database.close();
  return { judged, ended, strangers, unended: open.size, blocked };
}
