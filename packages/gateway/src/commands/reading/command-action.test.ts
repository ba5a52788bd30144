import type { Actor } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import type { ActionContext } from '../../actions/index.ts';
import { COMMAND_NAMES } from '../../config/index.ts';
import { FLUSH, packetOf } from '../../shared/git-wire/write-packets.ts';
import { operationsOf } from '../../targets/index.ts';
import {
  type CommandExtras,
  commandAction,
  findWrapper,
  gitAddressOf,
  pushExtras,
  readCommandLine,
  WRAPPERS,
} from '../index.ts';

const actor: Actor = {
  tenant: 'default',
  user: 'ana',
  agent: 'dev',
  session: 'sess_1',
  chain: ['dev'],
  confinement: 'jailed',
};
const CONTEXT: ActionContext = { door: 'ssh', actor, cwd: '/work', home: '/home/agent' };

function action(line: string, extras: CommandExtras = {}, credential?: string) {
  const read = readCommandLine(line, CONTEXT, COMMAND_NAMES);
  if (read.kind === 'refused') throw new Error(read.sentence);
  return commandAction(read, credential === undefined ? CONTEXT : { ...CONTEXT, credential }, extras);
}

test('an action names the program, its operation and its object, and rules can be about its words', () => {
  const made = action('aws ec2 terminate-instances --instance-ids i-1', {}, 'aws:prod');
  expect(made).toMatchObject({ tool: 'aws', effect: 'write', reach: 'remote', type: 'custom:cli' });
  expect(made.target).toMatchObject({ kind: 'command', form: 'argv', credential: 'aws:prod' });
  expect(operationsOf(made)).toMatchObject([
    { operation: 'aws ec2 terminate-instances', object: expect.stringContaining('i-1') },
  ]);
});

test('[SS-4] a refused trap is a problem that no policy allows, an asked one a fact of the command', () => {
  expect(action('aws configure').target.problem).toMatchObject({ code: 'Malformed' });
  expect(action('aws s3 ls --endpoint-url https://evil.test').target).toMatchObject({
    commands: [{ trap: expect.stringContaining('--endpoint-url') }],
  });
  expect(action('aws s3 ls').target).not.toHaveProperty('problem');
});

test('[SS-4] what is found later in files counts, unless the words are refused already', () => {
  const trap = { answer: 'refuse', sentence: 'it runs a program' } as const;
  expect(action('terraform apply p', { trap }).target.problem?.message).toBe('it runs a program');
  const asked = action('aws configure', { trap: { answer: 'ask', sentence: 'x' } });
  expect(asked.target.problem).toBeDefined();
});

test('what a command is bound to is part of its binding and its fingerprint', () => {
  const one = action('terraform apply p', { bound: { plan: 'a' }, shown: '+ one' });
  const two = action('terraform apply p', { bound: { plan: 'b' }, shown: '+ one' });
  const other = action('terraform apply p', { bound: { plan: 'a' }, shown: '+ two' });
  expect(one.binding).not.toBe(two.binding);
  expect(one.fingerprint).not.toBe(two.fingerprint);
  expect(one.binding).not.toBe(other.binding);
  expect(one.preview).toContain('+ one');
});

test('a push is known by its first bytes: refs, options and what cannot be known', () => {
  const zero = '0'.repeat(40);
  const head = (ref: string, from: string, to: string, caps: string, ...more: string[]): Buffer =>
    Buffer.concat([
      packetOf(`${from} ${to} ${ref}\0${caps}`),
      FLUSH,
      ...more.map((text) => packetOf(text)),
      ...(more.length > 0 ? [FLUSH] : []),
    ]);
  const address = { host: 'github.com', path: 'acme/app.git', repository: 'github.com/acme/app' };
  const made = (bytes: Uint8Array) => {
    const extras = pushExtras(address, bytes, false);
    if (extras === 'nothing') throw new Error('a push');
    return action('git-receive-pack github.com/acme/app.git', extras);
  };
  const created = made(head('refs/heads/ana/x', zero, 'a'.repeat(40), 'report-status'));
  expect(created.target).toMatchObject({
    commands: [{ operation: 'push', repo: { refs: [{ ref: 'refs/heads/ana/x', change: 'create' }] } }],
  });
  expect(created.preview).toContain('create refs/heads/ana/x');
  const deleted = made(head('refs/heads/main', 'a'.repeat(40), zero, 'x'));
  expect(deleted).toMatchObject({ type: 'vcs:branch', target: { commands: [{ operation: 'delete' }] } });
  const options = made(head('refs/heads/a', zero, 'a'.repeat(40), 'push-options', 'ci.skip'));
  expect(options.target).toMatchObject({ commands: [{ repo: { options: ['ci.skip'] } }] });
  const cut = made(Buffer.from('00a0'));
  expect(cut.target).toMatchObject({ commands: [{ repo: { refs: [{ ref: '*', change: 'unknown' }] } }] });
  expect(pushExtras(address, FLUSH, true)).toBe('nothing');
});

test('a push has the refs of its packets', () => {
  const repo = {
    repository: 'github.com/acme/app',
    area: 'contents',
    refs: [{ ref: 'refs/heads/ana/x', change: 'update' }],
  } as const;
  expect(action('git-receive-pack github.com/acme/app.git', { repo }).target).toMatchObject({
    commands: [{ repo }],
  });
});

test('git takes the host from the path, or from where the agent dialled', () => {
  const path = ['git-upload-pack', 'acme/App.git'];
  expect(gitAddressOf(path, { ...CONTEXT, host: 'github.com' })).toEqual({
    host: 'github.com',
    path: 'acme/App.git',
    repository: 'github.com/acme/app',
  });
  expect(gitAddressOf(path, CONTEXT)).toBeUndefined();
});

test('each wrapper stands under its own name, and each program leads to one', () => {
  for (const [name, wrapper] of Object.entries(WRAPPERS)) {
    expect(wrapper.name).toBe(name);
    for (const program of wrapper.programs) expect(findWrapper(program)).toBe(wrapper);
  }
});
