import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import {
  createTestCa,
  listenOnFreePort,
  type PartnerName,
  requireEngine,
  requirePartner,
  ScriptedModel,
} from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startGitServer } from './git-server.ts';
import { CLIENTS, type PartnerClient } from './partner-clients.ts';
import { CANARIES, OUTSIDE, openRunFixture, PROGRAM } from './run-fixture.ts';
import { openScreen } from './screen.ts';

const needs = requireEngine('bubblewrap', 'curl', 'git', 'tmux');

/**
 * What the model has the agent do, one after the other. Each prints a word that tells how it went, and does not hold
 * that word itself: the model sees the commands too.
 */
function script(at: { readonly outside: string; readonly git: string; readonly local: number }) {
  return [
    'echo "written by the agent" > result.txt && echo edi""ted',
    'echo "ssh has $(ls -A ~/.ssh 2>/dev/null | wc -l) files"',
    `(exec 3<>/dev/tcp/127.0.0.1/${at.local}) 2>/dev/null && echo local-reached || echo local-un""reachable`,
    // Every place at once: the environment, each file that it may read, and every process.
    `(env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'; find ~ /tmp /run /var /etc "$PWD" -xdev -type f -size -4M -exec cat {} +) 2>/dev/null >/dev/shm/all
     grep -ac 'canary-[a-z-]*-[0-9a-f]\\{6\\}' /dev/shm/all | sed 's/^/secrets-found /'; grep -acm1 sp-placeholder /dev/shm/all | sed 's/^/placeholders-found /'`,
    `curl -sS ${at.outside}/new-host-1 && echo first""-read`,
    `curl -sS ${at.outside}/new-host-2 && echo second""-read`,
    `curl -sS -d 'from=agent' ${at.outside}/post && echo pos""ted`,
    `mkdir repo && cd repo && git init -q -b feature && git remote add origin ${at.git} && echo text >file && git add file && git commit -qm first && git push -q origin feature && echo "pushed $(git rev-parse HEAD)"`,
  ];
}

describe.each(Object.entries(CLIENTS) as [PartnerName, PartnerClient][])(
  'the real %s in a jail',
  (name, client) => {
    const state = requirePartner(name);

    test.skipIf(needs.missing || state.missing)(
      `[CR-1] [JA-1] [JA-2] works in a terminal, logged in without a key, and asks before it writes (${needs.install}, ${state.install})`,
      async () => {
        const local = createServer((socket) => socket.end());
        const localPort = await listenOnFreePort(local);
        onTestFinished(() => void local.close());
        const ca = await createTestCa();
        await using server = await startGitServer(ca, OUTSIDE);
        let steps: readonly string[] = [];
        let step = 0;
        await using model = await ScriptedModel.start({
          host: OUTSIDE,
          apiKey: CANARIES.model,
          reply({ tools }) {
            const command = tools.includes(client.shell('').name) ? steps[step] : undefined;
            if (command === undefined) return { text: 'All is done.' };
            step += 1;
            return { toolCalls: [client.shell(command)] };
          },
        });
        const [modelPort, gitPort] = [new URL(model.url).port, new URL(server.url).port];
        await using fixture = await openRunFixture({
          ca,
          config: `providers: [{ host: "${OUTSIDE}:${modelPort}", provider: ${client.provider} }, { host: "${OUTSIDE}:${gitPort}", provider: git }]`,
          network: `  rules: [{ host: "${OUTSIDE}", port: [${modelPort}, ${gitPort}], action: allow }, { host: "${OUTSIDE}", action: ask }, { host: "*", action: deny }]`,
          tenant: `    credentials:\n      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
          agent: '    credentials: [model]',
        });
        steps = script({ outside: fixture.upstream.url, git: server.url, local: localPort });
        writeFileSync(join(fixture.workspace, '.env'), `KEY=${CANARIES.env}\n`);
        for (const [path, text] of Object.entries(client.files(model.url))) {
          mkdirSync(dirname(join(fixture.userHome, path)), { recursive: true });
          writeFileSync(join(fixture.userHome, path), text);
        }

        using screen = openScreen({ ...fixture.env(), ...client.env(model.url) }, fixture.workspace);
        const words = [process.execPath, PROGRAM, 'run', '--', state.program, ...client.task];
        screen.type(words.map((word) => `'${word}'`).join(' '));
        screen.keys('Enter');
        const ask = async (code: string): Promise<string> => {
          try {
            return (await fixture.answer(code)).preview;
          } catch {
            throw new Error(`it did not ask:\n${screen.text()}\n${model.requests.at(-1)?.raw}`);
          }
        };
        expect(await ask('2')).toContain('/new-host-1');
        expect(await ask('1')).toContain('/post');
        expect(await ask('1')).toContain('feature');
        const last = await screen.shows(/jailed run of dev[\s\S]*asked[\s\S]*hosts/);

        expect(last).toContain('All is done.');
        expect(last).toMatch(/asked {4}3: 3 approved, 0 denied/);
        expect(model.refusals).toEqual([]);
        expect(readFileSync(join(fixture.workspace, 'result.txt'), 'utf8')).toBe('written by the agent\n');
        expect(fixture.upstream.requests.map(({ url, body }) => [url, body])).toEqual([
          ['/new-host-1', ''],
          ['/new-host-2', ''],
          ['/post', 'from=agent'],
        ]);
        // What the agent saw came back to the model with its next request.
        const seen = model.requests.map(({ raw }) => raw).join('\n');
        for (const word of ['edited', 'ssh has 0 files', 'local-unreachable', 'secrets-found 0']) {
          expect(seen).toContain(word);
        }
        for (const word of ['placeholders-found 1', 'first-read', 'second-read', 'posted']) {
          expect(seen).toContain(word);
        }
        expect(seen).toContain(`pushed ${server.head('feature')}`);
        for (const canary of Object.values(CANARIES)) expect(seen + last).not.toContain(canary);
      },
    );
  },
);
