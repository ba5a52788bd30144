import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { httpClient, listenOnFreePort, tempDir } from '@sallyport/testkit';
import { ForeignPrograms, type Programs } from './foreign-programs.ts';
import { endSpawned, readSecret, spawnGateway } from './spawn-gateway.ts';

/** What was acknowledged, by kind: ids, or paths of writes that the host answered. */
interface Acknowledged {
  readonly approvals: string[];
  readonly sessions: string[];
  readonly writes: string[];
}

export interface CampaignResult {
  readonly kills: number;
  readonly approvals: number;
  readonly sessions: number;
  readonly writes: number;
  readonly foreignPrograms: number;
  /** refused because another program held the lock for too long: nobody was told otherwise */
  readonly refused: number;
  /** what was acknowledged and is not there; empty when all is well */
  readonly missing: readonly string[];
  /** rounds after which `audit verify` did not call the trail whole, or that found files changed that were not */
  readonly broken: readonly string[];
}

const CALLERS = 3;
const REFUSED_AT_MOST = 200;

/**
 * Kills a gateway at random moments, again and again, while agents write and people decide through it and other programs open,
 * read, write, copy and close its database. After each kill: everything that was acknowledged is there, and the trail is whole.
 */
export async function runKillCampaign(
  kills: number,
  programs: Programs,
  onRound: (round: number) => void = () => {},
): Promise<CampaignResult> {
  const dir = await tempDir();
  const server = createServer((_incoming, response) => response.end('ok'));
  const hostPort = await listenOnFreePort(server);
  const home = join(dir.path, 'home');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'sallyport.yaml'), configFor(hostPort), { mode: 0o600 });
  const all: Acknowledged = { approvals: [], sessions: [], writes: [] };
  const missing: string[] = [];
  const broken: string[] = [];
  let refused = 0;
  let foreign: ForeignPrograms | undefined;
  try {
    for (let round = 0; round <= kills; round += 1) {
      const gateway = spawnGateway({ home });
      const ports = await gateway.started;
      if (ports === undefined) throw new Error(`round ${round}: ${(await gateway.ended).stderr}`);
      foreign ??= new ForeignPrograms(join(home, 'sallyport.db'), join(dir.path, 'copies'), programs);
      const round_ = await openRound(home, round, { ...ports, host: hostPort });
      missing.push(...missingIn(home, all, round === kills));
      const verified = await round_.verify();
      if (verified !== '') broken.push(`round ${round}: ${verified}`);
      onRound(round);
      if (round < kills) {
        const killAfter = 1 + Math.floor(Math.random() * 25);
        refused += await round_.load(all, killAfter, () => gateway.process.kill('SIGKILL'));
      } else gateway.process.kill('SIGTERM');
      const { stderr } = await gateway.ended;
      const alarm = /writes are refused[^"]*/.exec(stderr)?.[0];
      if (alarm !== undefined) broken.push(`round ${round}: ${alarm}`);
    }
    return {
      kills,
      approvals: all.approvals.length,
      sessions: all.sessions.length,
      writes: all.writes.length,
      foreignPrograms: foreign?.started ?? 0,
      refused,
      missing,
      broken,
    };
  } finally {
    await foreign?.stop();
    await endSpawned();
    server.closeAllConnections();
    server.close();
    await dir.remove();
  }
}

class Refused extends Error {}

interface Ports {
  readonly api: number;
  readonly operator: number;
  readonly proxy?: number;
  readonly host: number;
}

async function openRound(home: string, round: number, ports: Ports) {
  const agent = httpClient({ url: `http://127.0.0.1:${ports.api}` });
  const operatorSide = httpClient({ url: `http://127.0.0.1:${ports.operator}` });
  const [operatorToken, apiKey, secret] = await Promise.all(
    ['operator.token', 'api.key', 'enrollment.secret'].map((file) => readSecret(home, file)),
  );
  const operator = (path: string, json: object) => operatorSide(path, { token: operatorToken ?? '', json });

  /** A question, answered with "always": an approval and a grant. */
  const decide = async (n: number): Promise<string> => {
    const asked = await agent('/v1/approvals', {
      token: apiKey ?? '',
      json: {
        session_id: 's',
        action_type: `custom:r${round}-${n}`,
        title: 'Deploy',
        preview: 'make deploy',
      },
    });
    if (asked.status !== 201) throw new Refused(asked.text);
    const { approval_id: id } = asked.json<{ approval_id: string }>();
    const decided = await operator(`/v1/approvals/${id}/decision`, { code: '6' });
    if (decided.status !== 200) throw new Refused(decided.text);
    return id;
  };
  const openSession = async (): Promise<{ readonly id: string; readonly token: string }> => {
    const answer = await agent('/session/new', { json: { tenant_id: 'default', enrollment_secret: secret } });
    if (answer.status !== 201) throw new Refused(answer.text);
    const { session_id: id, session_token: token } = answer.json<{
      session_id: string;
      session_token: string;
    }>();
    return { id, token };
  };
  return {
    /** Why the trail is not whole; empty when it is. */
    async verify(): Promise<string> {
      const answer = await operator('/v1/audit/verify', {});
      return answer.status === 200 && answer.json<{ ok: boolean }>().ok ? '' : answer.text;
    },
    /** Works until so many things were acknowledged, then calls `kill` while more are under way. How many were refused. */
    async load(all: Acknowledged, enough: number, kill: () => void): Promise<number> {
      let acknowledged = 0;
      let refused = 0;
      let isKilled = false;
      const note = (list: string[], what: string): void => {
        list.push(what);
        acknowledged += 1;
        if (acknowledged < enough || isKilled) return;
        isKilled = true;
        kill();
      };
      let session = await openSession().catch(() => undefined);
      while (session === undefined && refused < REFUSED_AT_MOST) {
        refused += 1;
        session = await openSession().catch(() => undefined);
      }
      if (session === undefined) throw new Error('no session could be opened');
      const { id, token } = session;
      note(all.sessions, id);
      const call = async (n: number): Promise<void> => {
        if (n % 2 === 0) {
          note(all.approvals, await decide(n));
          return;
        }
        const path = `/${round}-${n}`;
        const status = await post(ports, token, path);
        if (status === 200) note(all.writes, path);
        else throw new Refused(`a write: ${status}`);
      };
      let n = 0;
      const work = async (): Promise<void> => {
        while (!isKilled) {
          n += 1;
          try {
            await call(n);
          } catch (error) {
            // The connection ends with the gateway; before that nothing may fail but for want of the lock.
            if (isKilled) return;
            refused += 1;
            if (!(error instanceof Refused) || refused > REFUSED_AT_MOST) throw error;
          }
        }
      };
      const first = await Promise.allSettled(Array.from({ length: CALLERS }, work));
      if (!isKilled) kill();
      for (const result of first) if (result.status === 'rejected') throw result.reason;
      return refused;
    },
  };
}

/** A write through the proxy: its status. */
function post({ proxy, host }: Ports, token: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({
      ...{ host: '127.0.0.1', port: proxy, method: 'POST', path: `http://localhost:${host}${path}` },
      headers: { host: `localhost:${host}`, 'proxy-authorization': `Bearer ${token}` },
    });
    call.on('response', (response) => {
      response.on('error', reject);
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', reject);
    call.end('x');
  });
}

/** Those of the last rounds, or at the end all, that the database does not have. This process is another program too. */
function missingIn(home: string, all: Acknowledged, isLast: boolean): readonly string[] {
  const db = new DatabaseSync(join(home, 'sallyport.db'), { readOnly: true, timeout: 5_000 });
  try {
    const has = (query: string, ...values: string[]): boolean =>
      db.prepare(query).get(...values) !== undefined;
    const recent = (list: readonly string[]): readonly string[] => (isLast ? list : list.slice(-100));
    const written = new Set(
      db
        .prepare("select json from events where json like '%localhost%'")
        .all()
        .map(
          ({ json }) =>
            (JSON.parse(String(json)) as { data: { target?: { path?: string } } }).data.target?.path,
        ),
    );
    return [
      ...recent(all.approvals).filter(
        (id) =>
          !has("select 1 from approvals where id = ? and status = 'approved'", id) ||
          !has("select 1 from grants where approval_id = ? and scope = 'always'", id) ||
          !has("select 1 from events where approval_id = ? and type = 'ApprovalEvent::Decided'", id),
      ),
      ...recent(all.sessions).filter((id) => !has('select 1 from sessions where id = ?', id)),
      ...recent(all.writes).filter((path) => !written.has(path)),
    ];
  } finally {
    db.close();
  }
}

function configFor(port: number): string {
  return `
tenants:
  default:
    mode: cautious
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [owner] } }
    exceptions: ["http(localhost)"]
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { dev: {} }
permissions: ["allow:*"]
network: { default: allow, allow_private: ["localhost:${port}"] }
sessions: { max_live: 5000 }
`;
}
