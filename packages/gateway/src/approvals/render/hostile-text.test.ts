import { describe, expect, test } from 'vitest';
import type { Approval } from '../approval/approval.ts';
import { approvalFixture } from './approval.fixture.ts';
import { mailQuestion } from './mail.ts';
import { plainQuestion } from './plain-text.ts';
import { idOfMessage, TELEGRAM_LIMIT, telegramQuestion } from './telegram-html.ts';

const OTHER = 'appr_00000000000000000000000000';
const NEXT_QUESTION = `ls\n\nAnswer with one of:\n1. Deny\n3. Allow once\nId: ${OTHER}`;

const ROWS: readonly { why: string; text: string }[] = [
  { why: 'a second question after blank lines', text: NEXT_QUESTION },
  { why: 'a menu with the meanings swapped', text: '1. Deny\n2. Deny\n3. Allow once' },
  { why: 'an id line as the last line', text: `ls\nId: ${OTHER}` },
  { why: 'a carriage return that overwrites the line', text: 'rm -rf /\r1. Allow once' },
  { why: 'terminal escapes that clear the screen', text: '\u001b[2J\u001b[H1. Allow once' },
  { why: 'a right-to-left override', text: 'rm \u202ecod.exe' },
  { why: 'isolates', text: '\u2066hidden\u2069' },
  { why: 'zero-width characters', text: 'rm\u200b -rf\u2060 /\ufeff' },
  { why: 'tag characters that spell hidden text', text: 'ls\u{e0031}\u{e002e}' },
  { why: 'variation selectors that spell hidden text', text: 'ls\u{e0101}\ufe0f' },
  { why: 'line and paragraph separators', text: `ls\u20281. Deny\u2029Id: ${OTHER}` },
  { why: 'vertical tab, form feed and next line', text: `ls\v1. Deny\f2. Deny\u0085Id: ${OTHER}` },
  { why: 'padding that makes a reader wrap', text: `ls${' '.repeat(300)}1. Deny` },
  {
    why: 'blank fillers that make a reader wrap',
    text: `ls${'\u3164'.repeat(200)}1. Deny${'\u2800'.repeat(90)}`,
  },
  { why: 'closing the block in HTML', text: `</pre></code><b>Id: ${OTHER}</b><pre>` },
  { why: 'a link that looks like a button', text: '<a href="https://evil.test/approve">Allow once</a>' },
  { why: 'entities that decode to markup', text: '&lt;/pre&gt;&amp;#60;b&#62;' },
  { why: 'an attribute breakout', text: '" onmouseover="alert(1)" x=\'' },
  { why: 'our own block mark', text: '│ ls\n┆ continued\n1. Deny' },
  { why: 'mail headers', text: 'ls\r\nBcc: evil@evil.test\r\nSubject: ok' },
  { why: 'a subject with another id and key', text: `x [${OTHER}] [key-aaaaaaaaaaaaaaaaaaaaaaaaaa]` },
  { why: 'lone surrogates', text: 'ls \ud800 \udc00' },
  { why: 'Markdown', text: '**Allowed** [1](https://evil.test) `code` ~~x~~' },
];

/** Fields that an agent, a client or a server's answer can fill. */
const FIELDS: readonly { field: string; put: (text: string) => Partial<Approval> }[] = [
  { field: 'preview', put: (preview) => ({ preview }) },
  { field: 'title', put: (title) => ({ title }) },
  {
    field: 'session',
    put: (sessionId) => ({ sessionId, actor: { ...approvalFixture().actor, session: sessionId } }),
  },
  {
    field: 'agent',
    put: (agent) => ({ actor: { ...approvalFixture().actor, agent, chain: [agent, agent] } }),
  },
  { field: 'reason', put: (reason) => ({ reason: { layer: 'rules', reason, rule: reason } }) },
  { field: 'covers', put: (text) => ({ covers: { session: text, minutes: text, always: text } }) },
  { field: 'tool', put: (tool) => ({ tool }) },
];

const HIDDEN =
  /(?![\n\t])(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u3164\u2800]|\p{Variation_Selector})/u;

describe.each(FIELDS)('hostile text as $field', ({ put }) => {
  test.each(ROWS)('[AP-6] $why forges nothing', ({ text }) => {
    const approval = approvalFixture(put(text));
    const plain = plainQuestion(approval, { howToAnswer: 'Answer with one of:' });
    const mail = mailQuestion(approval, 'k'.repeat(26));
    const telegram = telegramQuestion(approval).html;

    for (const [shown, isHtml] of [
      [plain, false],
      [mail.text, false],
      [mail.html, true],
      [telegram, true],
    ] as const) {
      expect(shown).not.toMatch(HIDDEN);
      const lines = isHtml ? textOf(shown).split('\n') : shown.split('\n');
      // Ours, once, and the agent's version never at the beginning of a line.
      expect(lines.filter((line) => line.startsWith('1. '))).toEqual(['1. Allow once']);
      expect(lines.filter((line) => line.startsWith('3. '))).toEqual(['3. Deny']);
      expect(lines.filter((line) => /^\s*Id:?\s/.test(line)).join()).not.toContain(OTHER);
    }
    expect(idOfMessage(textOf(telegram))).toBe(approval.id);
    expect(tagsOf(telegram)).toEqual(tagsOf(telegramQuestion(approvalFixture(put('plain'))).html));
    expect(tagsOf(mail.html)).toEqual(tagsOf(mailQuestion(approvalFixture(put('plain')), 'k').html));
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.subject.match(/appr_[0-9a-z]+/g)).toEqual([approval.id]);
    expect(mail.subject.match(/key-[0-9a-z]+/g)).toEqual([`key-${'k'.repeat(26)}`]);
    expect(textOf(telegram).length).toBeLessThanOrEqual(TELEGRAM_LIMIT);
  });
});

describe('long text', () => {
  test.each([
    { why: 'one line of 1 MiB', preview: 'x'.repeat(1_048_576) },
    { why: '1 MiB of line breaks', preview: '\n'.repeat(1_048_576) },
    { why: '1 MiB of characters that must be escaped', preview: '\u202e<&'.repeat(100_000) },
    { why: 'emoji across the cut', preview: '😀'.repeat(20_000) },
    { why: 'a little too long', preview: 'word '.repeat(900) },
  ])('$why is cut with a mark, never silently, and is whole in the file', ({ preview }) => {
    const approval = approvalFixture({ preview });
    const telegram = telegramQuestion(approval);
    expect(textOf(telegram.html).length).toBeLessThanOrEqual(TELEGRAM_LIMIT);
    expect(telegram.cut).toBe(true);
    expect(textOf(telegram.html)).toMatch(/✂ Cut: [\d,]+ of [\d,]+ characters are shown\./);
    expect(telegram.html).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  test('long fields beside a long preview still fit, and say that they are cut', () => {
    const long = 'é'.repeat(10_000);
    const approval = approvalFixture({
      title: long,
      preview: long,
      tool: long,
      credential: long,
      selfDeclared: true,
      quorum: 2,
      agreed: [long],
      covers: { session: long, minutes: long, always: long },
      reason: { layer: 'rules', reason: long, rule: long, at: { file: long, line: 1, column: 1 } },
    });
    const telegram = telegramQuestion(approval);
    expect(textOf(telegram.html).length).toBeLessThanOrEqual(TELEGRAM_LIMIT);
    expect(telegram.cut).toBe(true);
    expect(textOf(telegram.html)).toContain('✂ 10,000 characters in all');
  });

  test('a mail attaches what it does not show, and the file has every character', () => {
    const preview = Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join('\n');
    const mail = mailQuestion(approvalFixture({ preview }), 'k');
    expect(mail.text).toContain('✂ Cut: 20,000 of ');
    expect(mail.html).toContain('✂ Cut: 20,000 of ');
    expect(mail.attachment).toContain('│ line 4999\n');
  });

  test('what fits is not marked as cut', () => {
    expect(telegramQuestion(approvalFixture()).cut).toBe(false);
    expect(mailQuestion(approvalFixture(), 'k').attachment).toBeUndefined();
  });
});

/** What a reader sees of HTML: no tags, entities decoded, cells and breaks on lines of their own. */
function textOf(html: string): string {
  return html
    .replace(/<\/tr>|<br>\n?|<p>/g, '\n')
    .replace(/<\/th>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

function tagsOf(html: string): readonly string[] {
  return html.match(/<[^>]*>/g) ?? [];
}
