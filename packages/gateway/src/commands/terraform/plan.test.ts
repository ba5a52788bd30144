import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@sallyport/protocol';
import { requireEngine } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_NAMES } from '../../config/index.ts';
import { commandAction, type FolderNow, planExtras, programsInConfig, readCommandLine } from '../index.ts';
import { planMismatch, readPlan } from './plan-facts.ts';
import { zipEntries } from './zip-entries.ts';

const terraform = requireEngine('terraform');
const folder = mkdtempSync(join(tmpdir(), 'sallyport-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) =>
  spawnSync('terraform', [...args, '-no-color'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' },
  });
const now = (): FolderNow => {
  const text = (name: string): string | undefined => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return undefined;
    }
  };
  const [state, lock] = [text('terraform.tfstate'), text('.terraform.lock.hcl')];
  return { ...(state === undefined ? {} : { state }), ...(lock === undefined ? {} : { lock }) };
};
const plan = (name: string, input: string, more = ''): Buffer => {
  writeFileSync(join(folder, 'main.tf'), `resource "terraform_data" "a" {\n  input = "${input}"\n${more}}\n`);
  const made = run('plan', `-out=${name}`);
  expect(made.status, made.stderr).toBe(0);
  return readFileSync(join(folder, name));
};
const actor: Actor = {
  tenant: 'default',
  user: 'ana',
  agent: 'dev',
  session: 's',
  chain: ['dev'],
  confinement: 'jailed',
};
const apply = (bytes: Uint8Array, at: FolderNow, shown = '+ terraform_data.a') => {
  const context = { door: 'ssh', actor, cwd: '/work', home: '/home/agent' } as const;
  const read = readCommandLine('terraform apply p', context, COMMAND_NAMES);
  if (read.kind === 'refused') throw new Error(read.sentence);
  return commandAction(read, context, planExtras(bytes, at, shown));
};

describe.skipIf(terraform.missing)(
  `[SS-5] what was planned is what is applied (${terraform.install})`,
  () => {
    beforeAll(() => {
      writeFileSync(join(folder, 'main.tf'), '');
      const made = run('init');
      expect(made.status, made.stderr).toBe(0);
    });

    test('a plan of the real terraform is read: its state, its providers, its programs', () => {
      const bytes = plan('p', 'one');
      expect(readPlan(bytes)).toMatchObject({ lineage: '', serial: 0, programs: [] });
      expect(apply(bytes, now()).target.problem).toBeUndefined();
      expect(apply(bytes, now()).preview).toContain('+ terraform_data.a');
    });

    test('another plan is another action, also when it has the same words', () => {
      const first = apply(plan('p', 'one'), now());
      const second = apply(plan('p', 'two'), now());
      expect(second.binding).not.toBe(first.binding);
      expect(second.fingerprint).not.toBe(first.fingerprint);
    });

    test('a state that changed meanwhile refuses the plan, as terraform itself does', () => {
      const bytes = plan('p', 'one');
      plan('other', 'three');
      expect(run('apply', 'other').status).toBe(0);
      writeFileSync(join(folder, 'p'), bytes);
      expect(apply(bytes, now()).target.problem?.message).toMatch(/state has changed/);
      expect(run('apply', 'p').stderr).toContain('stale');
      const fresh = plan('p', 'four');
      expect(apply(fresh, now()).target.problem).toBeUndefined();
      expect(run('apply', 'p').status).toBe(0);
    });

    test('providers that are locked otherwise refuse the plan', () => {
      const bytes = plan('p', 'five');
      const lock = 'provider "registry.terraform.io/evil/x" {\n  version = "1.0.0"\n}\n';
      expect(apply(bytes, { ...now(), lock }).target.problem?.message).toMatch(/providers/);
      expect(apply(bytes, { ...now(), lock: '# nothing\n' }).target.problem).toBeUndefined();
    });

    test('a provisioner is in the plan, and asked about each time', () => {
      const bytes = plan('p', 'six', '  provisioner "local-exec" {\n    command = "touch ran"\n  }\n');
      const made = apply(bytes, now());
      expect(made.target).toMatchObject({ commands: [{ trap: expect.stringContaining('local-exec') }] });
      expect(made.preview).toContain('local-exec');
    });

    test('a plan with one byte changed is another plan, or none', () => {
      const bytes = plan('p', 'seven');
      const whole = readPlan(bytes);
      for (let at = 0; at < bytes.length; at += 7) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 0xff;
        expect(readPlan(changed)?.digest).not.toBe(whole?.digest);
      }
      for (let at = 0; at < bytes.length; at += 13) expect(readPlan(bytes.subarray(0, at))).toBeUndefined();
    });
  },
);

describe('[SS-5] what is no plan is not applied', () => {
  test.each<readonly [string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['a text', Buffer.from('resource "x" "y" {}')],
    ['an empty archive', Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)])],
    [
      'numbers that lead out of the file',
      Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18, 255)]),
    ],
  ])('%s', (_, bytes) => {
    expect(apply(bytes, {}).target.problem?.message).toMatch(/no plan/);
  });

  test('a plan that nobody can be shown is not applied', () => {
    const facts = { digest: 'a', lineage: 'l', serial: 1, lock: '', programs: [] };
    expect(planMismatch(facts, { state: 'no json' })).toBeDefined();
    expect(planExtras(Buffer.alloc(30), {}, '')).toMatchObject({ trap: { answer: 'refuse' } });
  });

  test('an archive with a name twice has none', () => {
    mkdirSync(join(folder, 'zip'), { recursive: true });
    expect(zipEntries(twice())).toBeUndefined();
  });
});

/** Two entries of one name, stored. */
function twice(): Buffer {
  const local = Buffer.alloc(34);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(4, 26);
  local.write('same', 30);
  const central = Buffer.alloc(50);
  central.writeUInt32LE(0x02014b50);
  central.writeUInt16LE(4, 28);
  central.write('same', 46);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(2, 8);
  end.writeUInt16LE(2, 10);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, central, end]);
}

test('[SS-4] programs of a configuration are found in HCL and JSON, also with comments between', () => {
  const found = (name: string, text: string) => programsInConfig([[name, text]]).length;
  expect(found('main.tf', 'provisioner "local-exec" { command = "id" }')).toBe(1);
  expect(found('main.tf', 'provisioner /* x */ "local-exec" {}')).toBe(1);
  expect(found('main.tf', 'provisioner\t"local-exec"{}')).toBe(1);
  expect(found('main.tf.json', '{"provisioner":[{"local-exec":{"command":"id"}}]}')).toBe(1);
  expect(found('main.tf', 'data "external" "x" { program = ["sh"] }')).toBe(1);
  expect(found('main.tf.json', '{"data":{"external":{"x":{}}}}')).toBe(1);
  expect(found('main.tofu', 'provisioner "local-exec" {}')).toBe(1);
  expect(found('main.tf', 'provisioner "remote-exec" {}')).toBe(1);
  expect(found('readme.md', 'provisioner "local-exec" {}')).toBe(0);
  expect(found('main.tf', 'resource "aws_s3_bucket" "a" {}')).toBe(0);
});
