import type { JsonObject } from '@sallyport/protocol';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ActionDraft, bindingText, finishAction } from './finish-action.ts';

const draft = (over: Partial<ActionDraft> = {}): ActionDraft => ({
  door: 'hook',
  actor: {
    tenant: 'default',
    user: 'ana',
    agent: 'dev',
    session: 'sess_1',
    chain: ['dev'],
    confinement: 'jailed',
  },
  tool: 'Bash',
  type: 'custom:cli',
  effect: 'write',
  reach: 'workspace',
  risk: 'high',
  target: { kind: 'plain' },
  input: { command: 'ls' },
  preview: 'Bash\n$ ls',
  ...over,
});

describe('binding', () => {
  const json = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()));

  test('differs when any part of the input differs', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const same =
          JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted());
        const left = finishAction(draft({ input: a as JsonObject })).binding;
        const right = finishAction(draft({ input: b as JsonObject })).binding;
        expect(left === right).toBe(same);
      }),
    );
  });

  test('differs when one byte of a text differs', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 65_535 }),
        (text, at, flip) => {
          const index = at % text.length;
          const changed =
            text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ flip) + text.slice(index + 1);
          // Half a surrogate pair has no UTF-8 form of its own; such texts never leave a JSON parser of ours.
          fc.pre(text.isWellFormed() && changed.isWellFormed());
          const of = (command: string) => finishAction(draft({ input: { command } })).binding;
          expect(of(changed)).not.toBe(of(text));
        },
      ),
    );
  });

  test.each<[string, Partial<ActionDraft>]>([
    ['the door', { door: 'mcp' }],
    ['the tool', { tool: 'Write' }],
    ['the type', { type: 'vcs:push' }],
    ['the effect', { effect: 'read' }],
    ['the reach', { reach: 'remote' }],
    ['the risk', { risk: 'low' }],
    ['the preview', { preview: 'Bash\n$ ls ' }],
    ['the credential', { target: { kind: 'plain', credential: 'github:personal' } }],
    ['the user', { actor: { ...draft().actor, user: 'bob' } }],
    ['the session', { actor: { ...draft().actor, session: 'sess_2' } }],
    ['the chain', { actor: { ...draft().actor, chain: ['main', 'dev'] } }],
    ['the confinement', { actor: { ...draft().actor, confinement: 'unconfined' } }],
  ])('differs when %s differs', (_what, over) => {
    expect(finishAction(draft(over)).binding).not.toBe(finishAction(draft()).binding);
  });

  test('is the digest of the RFC 8785 text of the whole draft', () => {
    fc.assert(
      fc.property(json, fc.string(), fc.string(), (input, preview, tool) => {
        fc.pre(preview.isWellFormed() && tool.isWellFormed());
        const whole = draft({
          input: input as JsonObject,
          preview,
          tool,
          target: { kind: 'plain', credential: preview },
        });
        const texts = { input: canonicalize(whole.input) ?? '', preview: canonicalize(preview) ?? '' };
        expect(bindingText(whole, canonicalize(whole.target) ?? '', texts)).toBe(canonicalize(whole));
      }),
    );
  });

  test('does not depend on the id', () => {
    const [a, b] = [finishAction(draft()), finishAction(draft())];
    expect(a.id).not.toBe(b.id);
    expect(a.binding).toBe(b.binding);
  });
});

describe('fingerprint', () => {
  test.each<[string, Partial<ActionDraft>]>([
    ['another tenant', { actor: { ...draft().actor, tenant: 'other' } }],
    ['another agent', { actor: { ...draft().actor, agent: 'ops' } }],
    ['another tool', { tool: 'Write' }],
    ['another credential', { target: { kind: 'plain', credential: 'github:work' } }],
    ['another input', { input: { command: 'ls -l' } }],
  ])('is another question for %s', (_what, over) => {
    expect(finishAction(draft(over)).fingerprint).not.toBe(finishAction(draft()).fingerprint);
  });

  test('is the same question in another session', () => {
    const again = draft({ actor: { ...draft().actor, session: 'sess_2' } });
    expect(finishAction(again).fingerprint).toBe(finishAction(draft()).fingerprint);
  });
});
