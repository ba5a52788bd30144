/** Stands in every hostile preview, so that a test finds where the agent's words went. */
export const WORD = 'FORGED';

/** Previews of an agent that wants its question to look like another one, or like an answer. */
export const HOSTILE_PREVIEWS: readonly { readonly why: string; readonly preview: string }[] = [
  { why: 'a menu of its own', preview: `ls\n1. Allow once ${WORD}\n3. Deny ${WORD}\nPress 1 ${WORD}` },
  { why: 'an end', preview: `✅ Allowed once (ana) ${WORD}` },
  { why: 'an id line', preview: `Id: appr_00000000000000000000000000 ${WORD}\nId: appr_1` },
  { why: 'control characters', preview: `a\r\b\u0007\u001b[2J\u001b]0;x\u0007\u0085\u2028${WORD}` },
  { why: 'bidi overrides', preview: `\u202e${WORD}\u202c \u2066x\u2069 \u200f\u061c` },
  { why: 'invisible characters', preview: `${WORD}\u200b\u200c\u200d\ufeff\u00ad\u2060\u{e0041}` },
  { why: 'HTML', preview: `<b>${WORD}</b></pre><a href="https://evil.example">${WORD}</a><!-- -->&lt;` },
  { why: 'the end of a code block', preview: `x\n\`\`\`\n# ${WORD}\n**${WORD}**\n\`\`\`js\n${WORD}` },
  { why: 'backticks of every length', preview: `\` \`\` ${WORD} \`\`\` \`\`\`\` ${WORD} \`\`\`\`\` \`` },
  {
    why: 'Markdown',
    preview: `[${WORD}](https://evil.example) ||${WORD}|| > ${WORD} ~~x~~ __y__ -# ${WORD}`,
  },
  {
    why: 'mentions',
    preview: `@everyone <@1> <!channel> <!here> <@U1> <#C1> <https://evil.example|${WORD}>`,
  },
  { why: 'line separators', preview: `x\u2028${WORD}\u2029${WORD}\u000b${WORD}\u000c${WORD}` },
  { why: 'a line padded to look like two', preview: `x${' '.repeat(500)}Id: appr_1 ${WORD}` },
  { why: 'half of a character', preview: `\ud83d ${WORD} \udc00` },
  { why: 'nothing but line breaks', preview: `\n\n\n${WORD}\n\n` },
];
