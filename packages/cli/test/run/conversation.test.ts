import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PartnerName, requireEngine, requirePartner, ScriptedModel, waitFor } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { CLIENTS, type PartnerClient } from './partner-clients.ts';
import { CANARIES, OUTSIDE, openRunFixture, PROGRAM } from './run-fixture.ts';
import { openScreen } from './screen.ts';

const needs = requireEngine('bubblewrap', 'tmux');

describe.each(Object.entries(CLIENTS) as [PartnerName, PartnerClient][])(
  'a person with %s',
  (name, client) => {
    const state = requirePartner(name);

    test.skipIf(needs.missing || state.missing)(
      `talks to it as they do outside (${needs.install}, ${state.install})`,
      async () => {
        let calls = 0;
        await using model = await ScriptedModel.start({
          host: OUTSIDE,
          apiKey: CANARIES.model,
          reply({ tools, text }) {
            if (!tools.includes(client.shell('').name) || !text.includes('please write it'))
              return { text: 'ok' };
            calls += 1;
            return calls === 1
              ? { toolCalls: [client.shell('echo hello > note.txt')] }
              : { text: 'The note is written.' };
          },
        });
        const { port } = new URL(model.url);
        await using fixture = await openRunFixture({
          config: `providers: [{ host: "${OUTSIDE}:${port}", provider: ${client.provider} }]`,
          network: `  rules: [{ host: "${OUTSIDE}", port: ${port}, action: allow }, { host: "*", action: deny }]`,
          tenant: `    credentials:\n      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
          agent: '    credentials: [model]',
        });
        for (const [path, text] of Object.entries(client.files(model.url))) {
          mkdirSync(dirname(join(fixture.userHome, path)), { recursive: true });
          writeFileSync(join(fixture.userHome, path), text);
        }
        using screen = openScreen({ ...fixture.env(), ...client.env(model.url) }, fixture.workspace);
        const { args, listens, shell, quit } = client.talk;
        screen.type(`${process.execPath} ${PROGRAM} run -- ${state.program} ${args}`);
        screen.keys('Enter');
        await screen.shows(listens);
        screen.type('please write it');
        await screen.shows(/please write it/);
        screen.keys('Enter');
        expect(await screen.shows(/The note is written/)).toContain(shell);
        expect(readFileSync(join(fixture.workspace, 'note.txt'), 'utf8')).toBe('hello\n');
        screen.type(quit);
        await screen.shows(new RegExp(quit));
        screen.keys('Enter');
        const last = await screen.shows(/jailed run of dev[\s\S]*hosts/);
        expect(last).toContain(OUTSIDE);
        for (const canary of Object.values(CANARIES)) expect(last).not.toContain(canary);

        // Another day: the conversation is there, on the screen and for the model.
        screen.type('clear');
        screen.keys('Enter');
        screen.type(`${process.execPath} ${PROGRAM} run -- ${state.program} ${client.resume}`);
        screen.keys('Enter');
        await screen.shows(/The note is written/);
        await screen.shows(listens);
        screen.type('and now');
        await screen.shows(/and now/);
        screen.keys('Enter');
        await waitFor('the model to be told of both days', () => {
          const told = model.requests.at(-1)?.raw ?? '';
          for (const words of ['please write it', 'The note is written', 'and now'])
            expect(told).toContain(words);
        });
        const kept = execFileSync('grep', [
          '-rc',
          'please write it',
          join(fixture.userHome, '.local/state/sallyport'),
        ]);
        expect(String(kept)).toMatch(/:[1-9]/);
        const all = execFileSync('find', [
          join(fixture.userHome, '.local/state'),
          '-type',
          'f',
          '-exec',
          'cat',
          '{}',
          '+',
        ]);
        for (const canary of Object.values(CANARIES)) expect(String(all)).not.toContain(canary);
        expect(await fixture.pending()).toEqual([]);
      },
    );
  },
);
