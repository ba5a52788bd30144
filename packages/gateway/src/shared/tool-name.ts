/** One spelling for each tool: clients write `mcp__server__tool`, policies write `mcp:server/tool`. */
export function canonicalToolName(name: string): string {
  if (!name.startsWith('mcp__')) return name;
  const rest = name.slice('mcp__'.length);
  const border = rest.indexOf('__');
  return border > 0 && border + 2 < rest.length
    ? `mcp:${rest.slice(0, border)}/${rest.slice(border + 2)}`
    : name;
}
