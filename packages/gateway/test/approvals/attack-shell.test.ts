import { execFile, spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type HttpClient, httpClient, requireEngine, type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endSpawned, readSecret, spawnGateway } from '../start/spawn-gateway.ts';

const run = promisify(execFile);
const AGENT = fileURLToPath(new URL('attack-shell.agent.ts', import.meta.url));
const SECRET_FILES = ['operator.token', 'api.key', 'enrollment.secret', 'inbox.secret', 'audit.key'];
/** by a status, or by the proxy, which cuts what is no request to it */
/** The last: a door that does not speak HTTP at all. */
const REFUSED = /^HTTP [45]\d\d$|^ECONNRESET$|^HPE_INVALID_CONSTANT$/;
const ENV_SECRET = 'a-secret-of-the-environment';

interface Attempt {
  readonly what: string;
  readonly result: string;
  readonly text?: string;
}

const idOf = (user: string): number => Number(spawnSync('id', ['-u', user]).stdout.toString());
const otherUser = requireEngine('other-user');

/** A gateway of one user, a question that waits, and an agent that tries everything as another. */
async function attack(dir: TempDir, users?: { readonly gateway: number; readonly agent: number }) {
  const home = join(dir.path, 'home');
  const own = join(dir.path, 'own');
  await chmod(dir.path, 0o755);
  // As open as somebody may leave it by mistake: the gateway closes it.
  await mkdir(home);
  await chmod(home, 0o755);
  await mkdir(own);
  if (users !== undefined) {
    await chown(home, users.gateway, users.gateway);
    await chown(own, users.agent, users.agent);
  }
  const gateway = spawnGateway({
    home,
    env: { SOME_TOKEN: ENV_SECRET },
    ...(users === undefined ? {} : { uid: users.gateway }),
  });
  const ports = await gateway.started;
  if (ports === undefined) throw new Error(`did not start: ${(await gateway.ended).stderr}`);
  const secrets = new Map<string, string>();
  for (const file of SECRET_FILES) secrets.set(file, await readSecret(home, file));
  const apiKey = secrets.get('api.key') ?? '';
  const agentSide = httpClient({ url: `http://127.0.0.1:${ports.api}` });
  const operatorSide = httpClient({ url: `http://127.0.0.1:${ports.operator}` });
  const operator: HttpClient = (path, call) =>
    operatorSide(path, { token: secrets.get('operator.token') ?? '', ...call });
  const question = { session_id: 's', action_type: 'exec_cmd', title: 't', preview: 'p' };
  const created = await agentSide('/v1/approvals', { token: apiKey, json: question });
  const { approval_id: approvalId } = created.json<{ approval_id: string }>();
  const enrollment = { tenant_id: 'default', enrollment_secret: secrets.get('enrollment.secret') };
  const session = await agentSide('/session/new', { json: enrollment });
  const { session_token: sessionToken } = session.json<{ session_token: string }>();
  const instructions = {
    home,
    files: await readdir(home, { recursive: true }),
    pid: gateway.process.pid,
    ports: Object.values(ports),
    approvalId,
    tokens: [apiKey, sessionToken],
    own,
    callsOnly: users === undefined,
  };
  const { stdout } = await run(process.execPath, [AGENT, JSON.stringify(instructions)], {
    env: {},
    maxBuffer: 64 * 1024 * 1024,
    ...(users === undefined ? {} : { uid: users.agent, gid: users.agent }),
  });
  // `as`: written by the agent's program, which is ours
  const attempts = JSON.parse(stdout) as Attempt[];
  return { attempts, approvalId, operator, secrets, home };
}

describe('an agent with a full shell on the host', () => {
  let dir: TempDir;
  beforeEach(async () => {
    dir = await tempDir();
  });
  afterEach(async () => {
    await endSpawned();
    await dir.remove();
  });

  test.skipIf(otherUser.missing)(
    `[AP-2] as another user gets nothing, and nothing is decided (${otherUser.install})`,
    async () => {
      const users = { gateway: idOf('daemon'), agent: idOf('nobody') };
      const { attempts, approvalId, operator, secrets } = await attack(dir, users);
      const results = (pattern: RegExp) => attempts.filter(({ what }) => pattern.test(what));
      const kinds = (pattern: RegExp) => [...new Set(results(pattern).map(({ result }) => result))];
      expect(results(/^(?:list|read|write|link|create)/).length).toBeGreaterThan(40);
      expect(kinds(/^(?:list|read|write|link|create)/)).toEqual(['EACCES']);
      expect(kinds(/^signal/)).toEqual(['EPERM']);
      const readable = results(/^process/).filter(({ result }) => result === 'got');
      expect(new Set(readable.map(({ what }) => what))).toEqual(
        new Set(['process cmdline', 'process status']),
      );
      expect(kinds(/^call socket/)).toEqual(['EACCES']);
      expect(results(/^call port/).filter(({ result }) => !REFUSED.test(result))).toEqual([]);
      const everything = JSON.stringify(attempts);
      for (const secret of [...secrets.values(), ENV_SECRET]) expect(everything).not.toContain(secret);

      const path = `/v1/approvals/${approvalId}`;
      expect((await operator(path)).json()).toMatchObject({ status: 'pending' });
      expect((await operator(`${path}/decision`, { json: { code: '3' } })).status).toBe(200);
    },
  );

  test('as the same user it can take the operator token (docs/security.md says so); with its own credentials it decides nothing', async () => {
    const { attempts, approvalId, operator, home } = await attack(dir);
    expect(attempts.length).toBeGreaterThan(100);
    expect(attempts.filter(({ result }) => !REFUSED.test(result))).toEqual([]);
    const path = `/v1/approvals/${approvalId}`;
    expect((await operator(path)).json()).toMatchObject({ status: 'pending' });
    // What no file mode can keep from the same user. The trail names the operator for it.
    const token = (await readFile(join(home, 'operator.token'), 'utf8')).trim();
    expect((await operator(`${path}/decision`, { token, json: { code: '1' } })).status).toBe(200);
    const events = await operator('/v1/audit/events?type=ApprovalEvent::Decided');
    expect(events.json()).toMatchObject({ items: [{ actor: { kind: 'operator' } }] });
  });
});
