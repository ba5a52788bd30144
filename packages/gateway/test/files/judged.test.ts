import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import { policyOf, snapshotOf } from '../../src/gate/gate.fixture.ts';
import { judge } from '../../src/gate/index.ts';
import { FilesFixture } from './files-fixture.ts';

const POLICY = {
  permissions: [
    'deny:fs.read(//workspace/private/**)',
    'deny:fs.write(//workspace/private/**)',
    'allow:fs.*',
  ],
  security_contexts: { builder: { capabilities: [{ tool: 'fs.*', path_allowlist: ['/workspace'] }] } },
  agents: { dev: { security_context: 'builder' } },
};

test.each<[tool: string, path: string, says: string]>([
  ['fs.read', '/workspace/public/a', 'allow'],
  ['fs.read', '/workspace/private/key', 'RuleDenied'],
  ['fs.read', '/workspace/innocent', 'RuleDenied'],
  ['fs.read', '/workspace/alias/key', 'RuleDenied'],
  ['fs.write', '/workspace/alias/new', 'RuleDenied'],
  ['fs.write', '/workspace/future', 'RuleDenied'],
  ['fs.read', '/workspace/alias', 'RuleDenied'],
  ['fs.list', '/workspace/alias', 'allow'],
  ['fs.read', '/workspace/out', 'PathOutsideBoundary'],
  ['fs.read', '/workspace/etc/passwd', 'PathOutsideBoundary'],
  ['fs.read', '/etc/passwd', 'PathOutsideBoundary'],
  ['fs.read', '/workspace/public/../private/key', 'PathTraversalAttempt'],
])('[GA-7] the gate judges %s of %s where it leads: %s', async (tool, path, says) => {
  const fixture = await FilesFixture.open();
  for (const name of ['public', 'private']) mkdirSync(fixture.at(name));
  writeFileSync(fixture.at('public/a'), 'a');
  writeFileSync(fixture.at('private/key'), 'key');
  symlinkSync('private/key', fixture.at('innocent'));
  symlinkSync('/workspace/private', fixture.at('alias'));
  symlinkSync('private/not-yet', fixture.at('future'));
  symlinkSync('../outside/x', fixture.at('out'));
  symlinkSync('/etc', fixture.at('etc'));
  const input: JsonObject = { path, ...(tool === 'fs.write' ? { content: 'x' } : {}) };
  const policy = policyOf(POLICY);
  const judged = judge(fixture.build(tool, input), snapshotOf(policy));
  expect(judged.outcome === 'deny' ? judged.violation : judged.outcome).toBe(says);
});
