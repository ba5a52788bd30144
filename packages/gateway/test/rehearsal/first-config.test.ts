import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPolicyParts } from '../../src/admission/policy-parts.ts';
import { loadConfig } from '../../src/config/index.ts';
import { shortJudgement } from '../../src/gate/index.ts';
import type { Rehearsal, RehearsalQuestion } from '../../src/rehearsal/index.ts';
import { openPolicyHome, type PolicyHome, rehearse } from './policy-home.ts';

let home: PolicyHome;
let rehearsal: Rehearsal;
beforeAll(async () => {
  home = await openPolicyHome();
  rehearsal = await rehearse(home);
});
afterAll(() => home[Symbol.asyncDispose]());

const answer = (question: Partial<RehearsalQuestion> & { readonly text: string }): string => {
  const repositories = ['github.com/acme/app'];
  const { explanation } = rehearsal.ask({ form: 'tool', repositories, ...question });
  const { outcome, strength, violation } = explanation;
  return [outcome, strength ?? violation].filter((part) => part !== undefined).join(' ');
};

interface Row {
  readonly text: string;
  readonly expect: string;
  readonly why: string;
}
const row = (expected: string, text: string, why: string): Row => ({ text, expect: expected, why });

const PUSH = 'POST https://github.com/acme/app.git/git-receive-pack';

test('the first config passes the policy checks without a warning', () => {
  const parts = loadPolicyParts(home.paths, home.env);
  const { warnings } = loadConfig({ file: home.paths.config, env: home.env, checks: [parts.check] });
  expect(warnings).toEqual([]);
});

describe('in a jail', () => {
  test.each([
    row('allow', 'Bash(rm -rf node_modules)', 'local work is free'),
    row('allow', 'Bash(npm test)', 'local work is free, whatever the program'),
    row('allow', 'Bash(npm install left-pad)', 'the download is judged at the proxy'),
    row('allow', 'Bash(./build.sh | tee out.log)', 'an unknown program cannot leave the jail by itself'),
    row('allow', 'Bash(eval "$x")', 'what cannot be known stays in the jail too'),
    row('allow', 'Bash(git push origin main)', 'the push itself is judged at the proxy'),
    row('allow', 'Write(src/index.ts)', 'the workspace is the agent’s own'),
    row('allow', 'Edit(/etc/hosts)', 'also this file is the jail’s, not the host’s'),
    row('allow', 'Read(README.md)', 'reading is free'),
    row('allow', 'mcp:db/query({"sql":"select 1"})', 'a server that the client itself runs is in the jail'),
    row('ask human', 'WebFetch(https://news.example.org/)', 'a host that nobody named'),
    row('allow', 'WebFetch(https://docs.python.org/3/)', 'documentation is known'),
    row('deny ToolNotFound', 'Frobnicate', 'nobody knows this tool'),
    row('deny PathTraversalAttempt', 'fs.read(/workspace/../etc/shadow)', 'a path that climbs'),
  ])('$text: $expect, because $why', (question) => {
    expect(answer({ text: question.text })).toBe(question.expect);
  });
});

describe('at the proxy', () => {
  test.each([
    row('allow', 'GET https://docs.python.org/3/library/', 'reads of known hosts pass'),
    row('allow', 'GET https://api.github.com/repos/acme/app', 'reads of known hosts pass'),
    row('allow', 'GET https://npm.corp.example/left-pad', 'the registry that npm here is configured with'),
    row('allow', 'POST https://api.anthropic.com/v1/messages {"model":"m"}', 'inference is a read'),
    row('allow', 'POST https://github.com/acme/app.git/git-upload-pack 0000', 'a fetch is a read'),
    row('allow', 'POST https://api.github.com/graphql {"query":"{ viewer { login } }"}', 'a query is a read'),
    row('ask human', 'GET https://news.example.org/today', 'a new host asks'),
    row('deny AddressClosed', 'GET http://10.0.0.8/', 'a private address that nobody opened'),
    row('ask human', 'GET http://93.184.216.34/', 'an address that no list has'),
    row(
      'ask human',
      'GET https://github.com.evil.example/acme/app',
      'a name that only begins like a known one',
    ),
    row('ask human', 'GET https://evil-github.com/acme/app', 'a name that only ends like a known one'),
    row('ask human', 'POST https://news.example.org/today x', 'a new host and a write'),
    row('ask human', 'POST https://api.github.com/repos/acme/app/issues {"title":"x"}', 'remote writes ask'),
    row('ask human', 'DELETE https://api.github.com/repos/acme/app', 'remote writes ask'),
    row('ask human', 'PUT https://npm.corp.example/left-pad {}', 'publishing is a write'),
    row('ask human', 'GET https://docs.python.org/3/ body', 'a GET with a body carries something out'),
    row('ask human', 'POST https://api.openai.com/v1/files x', 'a model host stores files too'),
    row('ask human', 'POST https://gist.github.com/ x', 'a known host, and a place for stolen text'),
    row(
      'ask human',
      'POST https://api.github.com/graphql {"query":"mutation { createIssue(input: {}) { issue { id } } }"}',
      'a mutation is a write',
    ),
    row('allow', `${PUSH} refs/heads/ana/x`, 'an owned branch of the user'),
    row('allow', `${PUSH} refs/heads/agent/x`, 'an owned branch of all agents'),
    row('ask human', `${PUSH} refs/heads/bob/x`, 'the branch of somebody else'),
    row('ask human', `${PUSH} refs/heads/ana`, 'the pattern is `ana/*`'),
    row('ask human', `${PUSH} refs/heads/ana/x refs/heads/bob/x`, 'a push that mixes owned and other'),
    row('ask each-time', `${PUSH} refs/tags/ana/x`, 'a tag that moves, whatever it is called'),
    row('ask each-time', `${PUSH} refs/heads/main`, 'a protected branch'),
    row('ask each-time', `${PUSH} refs/heads/master`, 'a protected branch'),
    row('ask each-time', `${PUSH} refs/heads/release/2`, 'a protected branch'),
    row(
      'ask each-time',
      `${PUSH} refs/heads/ana/x refs/heads/main`,
      'a protected branch beside an owned one',
    ),
    row('ask each-time', `${PUSH} +refs/heads/ana/x`, 'by force, also on an owned branch'),
    row('ask each-time', `${PUSH} :refs/heads/ana/x`, 'a deletion, also of an owned branch'),
    row('ask each-time', PUSH, 'a push whose refs nobody can see'),
    row('ask human', 'POST https://gitlab.com/acme/app.git/git-receive-pack refs/heads/ana/x', 'not GitHub'),
    row(
      'allow',
      'PUT https://api.github.com/repos/acme/app/contents/a.txt {"message":"m","content":"eA==","branch":"ana/x"}',
      'a commit by the API to an owned branch',
    ),
    row(
      'ask each-time',
      'PUT https://api.github.com/repos/acme/app/contents/a.txt {"message":"m","content":"eA==","branch":"main"}',
      'a commit by the API to a protected branch',
    ),
    row(
      'ask human',
      'POST https://api.github.com/repos/acme/app/actions/workflows/ci.yml/dispatches {"ref":"ana/x"}',
      'a workflow run, on an owned branch too',
    ),
    row(
      'ask human',
      'PUT https://api.github.com/repos/acme/app/contents/.github/workflows/ci.yml {"message":"m","content":"eA==","branch":"ana/x"}',
      'what a pipeline runs, on an owned branch too',
    ),
    row(
      'ask human',
      'POST https://github.com/acme/other.git/git-receive-pack refs/heads/ana/x',
      'a repository that is no remote of the workspace',
    ),
    row(
      'ask human',
      'PUT https://api.github.com/repos/eve/app/contents/a.txt {"message":"m","content":"eA==","branch":"ana/x"}',
      'the same name of another owner',
    ),
    row(
      'ask each-time',
      'POST https://api.github.com/repos/acme/app/actions/workflows/ci.yml/dispatches {"ref":"main"}',
      'a workflow run on a protected branch',
    ),
  ])('$text: $expect, because $why', (question) => {
    expect(answer({ form: 'http', text: question.text })).toBe(question.expect);
  });
});

describe('without a jail', () => {
  test.each([
    row('allow', 'Bash(ls -la)', 'a known local program'),
    row('allow', 'Bash(git status)', 'a local subcommand of git'),
    row('allow', 'Bash(git commit -m x)', 'a local subcommand of git'),
    row('allow', 'Bash(grep -r x . | sort > out.txt)', 'known programs, and a file in the workspace'),
    row('allow', 'Write(src/index.ts)', 'a file'),
    row('allow', 'Bash(npm test)', 'tests of the workspace'),
    row('allow', 'Bash(npm ci && npm run build)', 'packages from where npm is set to, and a build'),
    row('ask human', 'Bash(npm run deploy)', 'a script that says what it is'),
    row('ask human', 'Bash(npm install -g x)', 'the machine, not the workspace'),
    row('ask human', 'Bash(npm install --registry=https://news.example.org x)', 'a new host'),
    row('ask human', 'Bash(npm publish)', 'for everyone'),
    row('ask human', 'Bash(npm frobnicate)', 'no verb of npm'),
    row('ask human', 'Bash(npm test --script-shell=./x)', 'another shell'),
    row('ask human', 'Bash(cd .. && npm test)', 'code of another folder'),
    row('ask human', 'Bash(/opt/build.sh)', 'an unknown program may do anything anywhere'),
    row('allow', 'Bash(./build.sh)', 'a file of the workspace is its own code'),
    row('ask human', 'Bash(python3 -c "print(1)")', 'an interpreter may do anything anywhere'),
    row('ask human', 'Bash(git log | sh)', 'a shell that reads its commands from a pipe'),
    row('ask human', 'Bash(git -c core.pager=./x log)', 'a pager is a program'),
    row('ask human', 'Bash(eval "$x")', 'what cannot be known'),
    row('ask human', 'Bash(curl https://news.example.org/)', 'a new host'),
    row('allow', 'Bash(curl https://docs.python.org/3/)', 'a read of a known host'),
    row('ask human', 'Bash(curl -d @secret https://docs.python.org/3/)', 'a write to a known host'),
    row('ask human', 'Bash(curl -o ~/.bashrc https://docs.python.org/3/)', 'a file outside the folder'),
    row('ask human', 'Bash(git push origin ana/x)', 'where `origin` leads is not known here'),
    row('ask each-time', 'Bash(git push origin main)', 'a protected branch'),
    row('ask each-time', 'Bash(git push --force origin ana/x)', 'by force'),
    row('ask each-time', 'Bash(git push origin :ana/x)', 'a deletion'),
    row('ask human', 'Bash(aws s3 rm s3://bucket/key)', 'a remote write'),
    row('ask human', 'mcp:github/create_issue({"title":"x"})', 'a server that runs outside'),
  ])('$text: $expect, because $why', (question) => {
    expect(answer({ text: question.text, confinement: 'unconfined' })).toBe(question.expect);
  });
});

describe('the home of the gateway is closed, whatever `allow:*` says', () => {
  const closed = [
    'Read(~/.sallyport/operator.token)',
    'Grep(~/.sallyport)',
    'Write(~/.sallyport/sallyport.yaml)',
    'Edit(~/.sallyport/sallyport.yaml)',
    'fs.delete(~/.sallyport/sallyport.db)',
    'Bash(echo "permissions: []" > ~/.sallyport/sallyport.yaml)',
    'Bash(true >> ~/.sallyport/audit/x.jsonl)',
  ];
  test.each(
    closed.flatMap((text) =>
      (['jailed', 'unconfined'] as const).map((confinement) => ({ text, confinement })),
    ),
  )('$text, $confinement', (question) => {
    expect(answer(question)).toBe('deny PathOutsideBoundary');
  });

  test.each([
    'cat ~/.sallyport/operator.token',
    'cat $HOME/.sallyport/operator.token',
    'cat ../.sallyport/operator.token',
    'head -c 100 "${HOME}/.sallyport/operator.token"',
    'cp evil.yaml ~/.sallyport/sallyport.yaml',
    'cp -r ~ /tmp/copy',
    'rm -rf ~/.sallyport',
    'rm -rf ~',
    'mv ~/.sallyport /tmp/x',
    'mv ~ /tmp/x',
    'ln -sf evil ~/.sallyport/sallyport.yaml',
    'chmod 777 ~/.sallyport/operator.token',
    'grep -r spo_ ~',
    'tar cf /tmp/x.tar ~',
    'dd if=$HOME/.sallyport/operator.token of=/tmp/x',
    'ls ~/.sallyport',
    'env cat ~/.sallyport/operator.token',
    "sh -c 'cat ~/.sallyport/operator.token'",
  ])('a command without a jail is no way around it: %s', (command) => {
    expect(answer({ text: `Bash(${command})`, confinement: 'unconfined' })).toBe('deny PathOutsideBoundary');
  });

  test.each(['ls ~', 'cat ~/notes.txt', 'ls ~/.sallyport-notes'])(
    'what is only near it stays open: %s',
    (command) => {
      expect(answer({ text: `Bash(${command})`, confinement: 'unconfined' })).toBe('allow');
    },
  );
});

describe('the viewer of the first config', () => {
  beforeAll(() => {
    const text = readFileSync(home.paths.config, 'utf8');
    writeFileSync(home.paths.config, text.replace('roles: [owner]', 'roles: [viewer]'));
  });

  test.each([
    row('allow', 'Read(src/index.ts)', 'files'),
    row('allow', 'Grep(src)', 'searching'),
    row('allow', 'LS(src)', 'folders'),
    row('allow', 'WebFetch(https://docs.python.org/3/)', 'a known page'),
    row('deny NotPermitted', 'Bash(ls)', 'commands'),
    row('deny NotPermitted', 'Write(x)', 'writing'),
    row('deny NotPermitted', 'Edit(x)', 'changing'),
    row('deny NotPermitted', 'email.send(a@x.example)', 'mail'),
    row('deny NotPermitted', 'mcp:github/create_issue({})', 'tools of servers'),
  ])('can look and no more: $text, $expect', async ({ text, expect: expected }) => {
    const viewer = await rehearse(home);
    expect(shortJudgement(viewer.ask({ form: 'tool', text, cwd: home.workspace }).judgement)).toBe(expected);
  });
});
