import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type NewEvent, SallyportError } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import { createLogger, JsonlSink, Redactor } from '../../src/audit/index.ts';
import { Secret } from '../../src/shared/secret.ts';
import { openHome, trailHome } from './trail-harness.ts';

const COUNT = 50;

/** Every form in which a canary is planted, and in which it is looked for. */
function forms(canary: string): string[] {
  const bytes = Buffer.from(canary);
  const base64 = Buffer.from(`user:${canary}`).toString('base64');
  return [canary, base64, bytes.toString('hex'), encodeURIComponent(canary), JSON.stringify(canary)];
}

function eventWith(text: string): NewEvent {
  return {
    tenant: 'default',
    type: 'CredentialEvent::Read',
    action_id: `act_${text}`,
    approval_id: `appr_${text}`,
    actor: { kind: 'person', user: text, via: text },
    data: { text, [text]: 1, list: [text, { deep: text }], url: `https://ana:${text}@host/?q=${text}` },
    detail: {
      request: { headers: { 'x-custom': text }, url: `/x?k=${text}` },
      status: text,
      request_body: { json: text },
      response_body: `<html>${text}</html>`,
    },
  };
}

test('[CR-1] fifty planted secrets reach no event, log line, error or file', async () => {
  await using home = await trailHome();
  const redactor = new Redactor();
  const canaries = Array.from(
    { length: COUNT },
    (_, i) => `canary/${i}+${randomBytes(9).toString('base64')}`,
  );
  for (const canary of canaries) redactor.learn(new Secret(canary));
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const log = createLogger({ level: 'trace', redactor, destination });
  {
    const sink = new JsonlSink({ folder: home.folder });
    await using opened = await openHome(home, { redactor, sinks: [sink], level: 'full' });
    for (const text of canaries.flatMap(forms)) {
      await opened.trail.append(eventWith(text));
      opened.trail.note(eventWith(text));
      log.info({ [text]: text, nested: { text } }, text);
      log.error(new Error(text, { cause: new Error(text) }));
      logged.push(
        JSON.stringify(redactor.redactJson(new SallyportError('Internal', { message: text }).toBody())),
      );
      logged.push(redactor.redactText(new Error(text).stack ?? ''));
    }
    // Also while the write-ahead log still holds everything
    await expectNoCanary(home.path, canaries);
  }
  await expectNoCanary(home.path, canaries);
  const all = Buffer.from(logged.join('\n'));
  expect(canaries.flatMap(forms).filter((form) => all.includes(form))).toEqual([]);
  expect(all.includes('[redacted]')).toBe(true);
});

async function expectNoCanary(folder: string, canaries: readonly string[]): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThanOrEqual(3);
  for (const file of files) {
    const bytes = await readFile(file);
    const found = canaries.flatMap(forms).filter((form) => bytes.includes(form));
    expect({ file, found }).toEqual({ file, found: [] });
  }
}

test.each([
  { level: 'metadata', sees: [] },
  { level: 'request', sees: ['the-request', '418'] },
  { level: 'full', sees: ['the-request', '418', 'sent-body', 'received-body'] },
] as const)('level $level keeps as much as it says', async ({ level, sees }) => {
  await using home = await trailHome();
  await using opened = await openHome(home, { level });
  const { id } = await opened.trail.append({
    tenant: 'default',
    type: 'ActionEvent::Judged',
    actor: { kind: 'gateway' },
    data: { fact: 'the-fact' },
    detail: {
      request: { path: 'the-request' },
      status: 418,
      request_body: 'sent-body',
      response_body: 'received-body',
    },
  });
  const json = (await opened.trail.get(id))?.json ?? '';
  const parts = ['the-request', '418', 'sent-body', 'received-body'].filter((part) => json.includes(part));
  expect(parts).toEqual(sees);
  expect(json).toContain('the-fact');
});
