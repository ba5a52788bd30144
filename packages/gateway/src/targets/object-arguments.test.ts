import type { Action, JsonObject } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { operationsOf } from './facts.ts';

const call = (input: JsonObject): Pick<Action, 'target' | 'tool' | 'effect' | 'input'> => ({
  target: { kind: 'mcp', server: 'x', tool: 'y' },
  tool: 'mcp:x/y',
  effect: 'write',
  input,
});
const objectOf = (input: JsonObject): string | undefined => operationsOf(call(input))[0]?.object;

describe('[GA-11] the object of a tool that nobody describes', () => {
  test.each<[JsonObject, string]>([
    [{}, 'x'],
    [{ body: 'text', issue_number: 7 }, 'x'],
    [{ owner: 'acme', repo: 'app', body: 'text' }, 'x owner=acme repo=app'],
    [{ teamId: 'SHOP', title: 'a b' }, 'x teamId=SHOP'],
    [{ project_id: 7 }, 'x project_id=7'],
    [{ to: ['a@b.example'], text: 'x' }, 'x to=["a@b.example"]'],
    [{ channel: '#dev', text: 'x' }, 'x channel=any channel'],
    [{ channel_id: 'C0SHOP1' }, 'x channel_id=any channel'],
    [{ channel: '@eve' }, 'x channel=@eve'],
    [{ channel: 'D0STRANGER' }, 'x channel=D0STRANGER'],
    [{ channel: ['#dev', '@eve'] }, 'x channel=["#dev","@eve"]'],
    [{ url: 'https://a.example/b?c=d' }, 'x url=https://a.example'],
    [{ url: 'a' }, 'x url=a'],
    [{ environment: 'production', id: 'b' }, 'x environment=production'],
  ])('%j: %s', (input, object) => {
    expect(objectOf(input)).toBe(object);
  });

  test('two that could be read as one are told apart', () => {
    expect(objectOf({ owner: 'acme repo=app' })).not.toBe(objectOf({ owner: 'acme', repo: 'app' }));
    expect(objectOf({ to: 'a' })).not.toBe(objectOf({ to: ['a'] }));
  });

  test('what is too long to be read is no object: only the whole call can be named', () => {
    expect(operationsOf(call({ to: Array.from({ length: 100 }, (_, at) => `p${at}@a.example`) }))).toEqual(
      [],
    );
  });
});
