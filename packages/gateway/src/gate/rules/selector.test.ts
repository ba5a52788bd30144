import { describe, expect, test } from 'vitest';
import { TypeRegistry } from './patterns/action-types.ts';
import { parseRule, parseSelector } from './selector.ts';

const types = new TypeRegistry(['custom:billing']);

describe('parseRule', () => {
  test.each([
    'allow:*',
    'deny:Write',
    'allow:Bash(git *)',
    'deny:Write(/config/**)',
    'deny:Read(~/.ssh/**)',
    'allow:Edit(./src/**)',
    'deny:Write(//etc/**)',
    'ask:mcp:github/*',
    'ask:mcp:*',
    'allow:mcp:github/get_*',
    'allow:mcp__github__get_me',
    'allow:http(GET api.github.com/repos/**)',
    'allow:http(GET,HEAD @known)',
    'deny:http(* *.evil.example)',
    'deny:http(POST)',
    'allow:http(GET [::1]:8080/x)',
    'allow:gh(pr create *)',
    'ask:@deploy',
    'deny:@db:admin',
    'deny:@exec_cmd',
    'ask:@custom:billing',
    'ask:@custom',
    'allow:fs.*',
    'deny:fs.write(/config/**)',
    'deny:email.send(*@Rival.example)',
    'allow:Bash(echo \\))',
  ])('reads %s', (text) => {
    expect(parseRule(text, types)).toMatchObject({ ok: true });
  });

  test.each([
    { text: 'permit:Bash', says: 'starts with', hint: undefined, why: 'no such action' },
    { text: 'alow:Bash', says: 'starts with', hint: 'did you mean `allow`?', why: 'a slip' },
    { text: 'allow', says: 'starts with', hint: undefined, why: 'no selector' },
    { text: 'allow:', says: 'not the name of a tool', hint: undefined, why: 'empty selector' },
    { text: 'allow:Bash(git *', says: 'not closed', hint: undefined, why: 'open bracket' },
    { text: 'allow:Bash()', says: 'empty', hint: undefined, why: 'empty pattern' },
    { text: 'allow:Bash(a\\)', says: 'end in', hint: undefined, why: 'dangling escape' },
    { text: 'allow:fsx*', says: 'not the name', hint: undefined, why: 'a star without a border' },
    { text: 'allow:*(git *)', says: 'no pattern', hint: undefined, why: 'a pattern for every tool' },
    { text: 'allow:TodoWrite(x)', says: 'no pattern', hint: undefined, why: 'nothing to match' },
    { text: 'deny:Write(config/**)', says: 'where the path starts', hint: undefined, why: 'no base' },
    { text: 'deny:Write(/a/../b)', says: '`..`', hint: undefined, why: 'a path that is never real' },
    { text: 'deny:Write(/a/**b)', says: 'whole path component', hint: undefined, why: 'bad glob' },
    { text: 'deny:mcp:fs/write(./x)', says: 'no folder', hint: undefined, why: 'a server has no cwd' },
    { text: 'allow:http(get x.example)', says: 'list of methods', hint: undefined, why: 'small letters' },
    { text: 'allow:http(GET x.example extra)', says: 'methods, then host', hint: undefined, why: 'too much' },
    { text: 'allow:http(GET *.*)', says: 'host or a list', hint: undefined, why: 'a star too many' },
    { text: 'allow:http(GET x.example:0/)', says: 'no port', hint: undefined, why: 'port zero' },
    { text: 'deny:@deplyo', says: 'no action type', hint: 'did you mean `deploy`?', why: 'a slip' },
    { text: 'deny:@db:amdin', says: 'no action type', hint: 'did you mean `db:admin`?', why: 'a slip' },
    { text: 'ask:@custom:other', says: 'no action type', hint: 'custom_types', why: 'not registered' },
    { text: 'deny:Bsh(rm *)', says: 'takes a pattern', hint: 'did you mean `Bash`?', why: 'unknown tool' },
  ])('refuses $text: $why', ({ text, says, hint }) => {
    const parsed = parseRule(text, types);
    expect(parsed).toMatchObject({ ok: false, message: expect.stringContaining(says) });
    if (hint !== undefined) expect(parsed).toMatchObject({ hint: expect.stringContaining(hint) });
  });

  test('both spellings of an MCP tool are one name', () => {
    expect(parseSelector('mcp__github__get_me', types)).toEqual(parseSelector('mcp:github/get_me', types));
  });
});
