import { describe, expect, test } from 'vitest';
import { COMMAND_NAMES } from '../../config/index.ts';
import { isAcceptedVariable, type ReadCommand, readCommand, readCommandLine } from '../index.ts';
import { AWS_COMMANDS } from './cases/aws-commands.ts';
import type { CommandCase, CommandCases } from './cases/command-case.ts';
import { CURL_COMMANDS } from './cases/curl-commands.ts';
import { GCLOUD_COMMANDS } from './cases/gcloud-commands.ts';
import { GH_COMMANDS } from './cases/gh-commands.ts';
import { KUBECTL_COMMANDS } from './cases/kubectl-commands.ts';
import { DATADOG_COMMANDS, GIT_COMMANDS, LINEAR_COMMANDS } from './cases/others-commands.ts';
import { TERRAFORM_COMMANDS } from './cases/terraform-commands.ts';
import { splitLine } from './split-line.ts';

const PLACE = { cwd: '/work', home: '/home/agent' };
const ALL: Readonly<Record<string, CommandCases>> = {
  aws: AWS_COMMANDS,
  gcloud: GCLOUD_COMMANDS,
  gh: GH_COMMANDS,
  kubectl: KUBECTL_COMMANDS,
  terraform: TERRAFORM_COMMANDS,
  curl: CURL_COMMANDS,
  datadog: DATADOG_COMMANDS,
  linear: LINEAR_COMMANDS,
  git: GIT_COMMANDS,
};

function read(line: string): ReadCommand {
  const found = readCommandLine(line, PLACE, COMMAND_NAMES);
  if (found.kind === 'refused') throw new Error(found.sentence);
  return found;
}

function check({ line, effect, trap, type, operation, object }: CommandCase): void {
  const { intent, trap: sprung, argv } = read(line);
  const found =
    intent.unknown !== undefined
      ? 'unknown'
      : intent.effect === 'write' && intent.risk === 'critical'
        ? 'critical'
        : intent.effect;
  expect({
    effect: found,
    trap: sprung?.answer ?? '-',
    type: intent.type,
    operation: intent.operation,
    object: intent.object ?? '',
  }).toEqual({ effect, trap, type, operation, object });
  // What people are shown is the whole command: read again, it is the same words.
  const shown = /^\$ (.*)$/m.exec(intent.preview)?.[1] ?? '';
  expect(splitLine(shown)).toEqual({ kind: 'words', words: argv });
  if (sprung !== undefined) expect(intent.preview).toContain(sprung.sentence);
}

for (const [name, { friendly, hostile }] of Object.entries(ALL)) {
  describe(`[SS-4] ${name}: a trap is refused or asked about`, () => {
    test.each(hostile.map((row) => [row.line, row] as const))('%s', (_, row) => check(row));
  });
  describe(`${name}: everyday commands spring none`, () => {
    test.each(friendly.map((row) => [row.line, row] as const))('%s', (_, row) => {
      check(row);
      expect(row.trap).toBe('-');
    });
  });
}

test('hostile rows outnumber friendly ones, and there are enough of both', () => {
  const count = (kind: keyof CommandCases): number =>
    Object.values(ALL).reduce((sum, cases) => sum + cases[kind].length, 0);
  expect(count('friendly') + count('hostile')).toBeGreaterThanOrEqual(400);
  expect(count('hostile')).toBeGreaterThan(count('friendly') * 2);
});

describe('[SS-4] what is no command of the door is none', () => {
  test.each([
    'sh -c id',
    'bash',
    '/usr/bin/aws s3 ls',
    './aws s3 ls',
    'AWS s3 ls',
    'LD_PRELOAD=x.so aws s3 ls',
    'AWS_ENDPOINT_URL=https://evil.test aws s3 ls',
    'GIT_SSH_COMMAND=evil git-upload-pack github.com/a/b.git',
    'env aws s3 ls',
    'sudo aws s3 ls',
    'git -c core.sshCommand=evil upload-pack github.com/a/b.git',
    'git --exec-path=/tmp upload-pack github.com/a/b.git',
    'git push',
    'git-upload-archive github.com/a/b.git',
    'git-shell',
    'scp -f /etc/passwd',
    'scp -t /tmp',
    'sftp-server',
    'rsync --server .',
    'internal-sftp',
    "'aws s3' ls",
    '""',
    '-c id',
  ])('%s', (line) => {
    expect(readCommandLine(line, PLACE, COMMAND_NAMES)).toMatchObject({ kind: 'refused' });
  });

  test('a command that the config does not offer is none either', () => {
    expect(readCommandLine('aws s3 ls', PLACE, ['gh'])).toMatchObject({ kind: 'refused' });
  });

  test('words of a shim with a NUL byte are none', () => {
    expect(readCommand(['aws', 's3\0', 'ls'], PLACE, COMMAND_NAMES).kind).toBe('refused');
  });
});

describe('[SS-4] variables of a client stay with it', () => {
  test.each([
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'AWS_ACCESS_KEY_ID',
    'AWS_ENDPOINT_URL',
    'AWS_PROFILE',
    'GIT_SSH_COMMAND',
    'GIT_PROTOCOL_FROM_USER',
    'KUBECONFIG',
    'PATH',
    'HOME',
    'PAGER',
    'HTTPS_PROXY',
    'LC_',
    'lang',
    'TERMINFO',
    'LANGX',
    'XLANG',
    '',
  ])('%s', (name) => expect(isAcceptedVariable(name, 'x')).toBe(false));

  test('language and terminal are taken, with plain values', () => {
    expect(isAcceptedVariable('LANG', 'en_US.UTF-8')).toBe(true);
    expect(isAcceptedVariable('LC_ALL', 'C')).toBe(true);
    expect(isAcceptedVariable('TERM', 'xterm-256color')).toBe(true);
    expect(isAcceptedVariable('TERM', '../../x')).toBe(false);
    expect(isAcceptedVariable('LANG', 'a\nb')).toBe(false);
  });
});

describe('files that are carried along', () => {
  test.each([
    ['aws s3 cp a.txt s3://b/a', ['a.txt'], []],
    ['aws s3 cp s3://b/a out/a', [], ['out/a']],
    ['aws lambda update-function-code --function-name f --zip-file fileb://f.zip', ['f.zip'], []],
    ['gh issue create -R a/b --title t --body-file body.md', ['body.md'], []],
    ['gh release create v1 dist/a.tgz -R a/b --notes /x', ['dist/a.tgz', 'a/b'], []],
    ['kubectl apply -f a.yaml -f b.yaml', ['a.yaml', 'b.yaml'], []],
    ['kubectl create configmap x --from-file=k=conf', ['conf'], []],
    ['curl -d @body.json -o out.json https://a.test', ['body.json'], ['out.json']],
    ['terraform plan -var-file=x.tfvars -out=p', ['.', 'x.tfvars'], ['p']],
    ['terraform apply p', ['.', 'p'], []],
    ['git-upload-pack github.com/a/b.git', [], []],
  ])('%s', (line, reads, writes) => {
    expect(read(line).files).toMatchObject({ reads, writes });
  });
});

test('a plan is a read only where the code that it runs can do no more', () => {
  const found = readCommandLine('terraform plan -out=p', { ...PLACE, codeOnlyReads: true }, COMMAND_NAMES);
  expect(found).toMatchObject({ intent: { effect: 'read', runsCode: true } });
  const apply = readCommandLine('terraform apply p', { ...PLACE, codeOnlyReads: true }, COMMAND_NAMES);
  expect(apply).toMatchObject({ intent: { effect: 'write', risk: 'critical' } });
  const doubt = readCommandLine('terraform plan -evil', { ...PLACE, codeOnlyReads: true }, COMMAND_NAMES);
  expect(doubt).toMatchObject({ intent: { effect: 'write', unknown: expect.any(String) } });
});
