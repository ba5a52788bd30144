import type { McpServerWire } from '@sallyport/protocol';
import { visibleLine } from './output.ts';

/** What of a server is judged as a read, what a preset would add, and what must be written for it. */
export function describeReads({ name, reads }: Pick<McpServerWire, 'name' | 'reads'>): readonly string[] {
  const { tools, offered, outdated } = reads;
  const lines =
    tools.length === 0
      ? [`No tool of ${name} is judged as a read: each call is judged as a write.`]
      : [`Judged as reads: ${listed(tools)}`];
  for (const entry of outdated)
    lines.push(
      `"${entry}" holds for nothing: other definitions were accepted since. Put the new entry in its place, or take it out.`,
    );
  if (offered === null) return lines;
  const added = offered.tools.filter((tool) => !tools.includes(tool));
  if (added.length === 0) return lines;
  lines.push('', `The preset \`${offered.preset}\` says that these only read, too: ${listed(added)}`);
  for (const { tool, why } of offered.left_out) lines.push(`  not ${visibleLine(tool)}: ${visibleLine(why)}`);
  lines.push(
    'That the server calls itself so is its own word: look at what it is before you accept this.',
    `To accept it, write this entry under \`${name}\` in \`mcp_servers\`:`,
    `    reads: ["${offered.entry}"]`,
    'It holds for the definitions that the server has now; when one of them changes, all of them ask again.',
  );
  return lines;
}

/** SECURITY: names are the server's. */
function listed(tools: readonly string[]): string {
  return tools.map(visibleLine).join(', ');
}
