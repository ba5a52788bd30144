import type { SyntaxNode } from './words/syntax-tree.ts';

const DELIMITER = /^(?:([A-Za-z0-9_.-]+)|'([A-Za-z0-9_.-]+)'|"([A-Za-z0-9_.-]+)"|\\([A-Za-z0-9_.-]+))$/;

interface CheckedHeredoc {
  readonly problem?: string;
  /** what is left to check and to read: the body only when its expansions are live */
  readonly children: readonly SyntaxNode[];
}

/**
 * Finds the end of a here-document the way a shell does and compares. A quoted delimiter makes the body plain
 * text, so it is left out of `children`.
 */
export function verifyHeredoc(node: SyntaxNode, source: string): CheckedHeredoc {
  const start = node.children.find((child) => child.type === 'heredoc_start');
  const end = node.children.find((child) => child.type === 'heredoc_end');
  const operator = node.children.find((child) => child.type === '<<' || child.type === '<<-');
  if (start === undefined || end === undefined || operator === undefined) return unclear;
  const match = DELIMITER.exec(source.slice(start.start, start.end));
  const delimiter = match?.slice(1).find((name) => name !== undefined);
  if (match === null || delimiter === undefined) return unclear;

  // SECURITY: `<<'EOF'x` ends at `EOFx`; a delimiter that goes on is not the one that the grammar saw.
  if (!/[\s;|&<>)]/.test(source[start.end] ?? '')) return unclear;
  const lineEnd = source.indexOf('\n', start.end);
  const lineStart = source.lastIndexOf('\n', start.start) + 1;
  const line = source.slice(lineStart, lineEnd);
  // SECURITY: two bodies after one line are read in turn, and a newline inside quotes after `<<EOF` moves the
  // body; the grammar is not trusted with either.
  if (lineEnd < 0 || line.replaceAll('<<<', '').split('<<').length !== 2) return unclear;
  const body = node.children.find((child) => child.type === 'heredoc_body');
  if (body !== undefined && body.start < lineEnd) return unclear;
  const beforeBody = node.children.filter((child) => child !== body && child !== end && child.type !== '\n');
  if (beforeBody.some((child) => child.end > lineEnd)) return unclear;

  const found = findEnd(source, lineEnd + 1, delimiter, operator.type === '<<-');
  if (found === undefined || found.end !== end.end) return unclear;
  const quoted = match[1] === undefined;
  const rest = beforeBody.filter((child) => child !== start && child !== operator);
  return { children: quoted || body === undefined ? rest : [...rest, body] };
}

const unclear: CheckedHeredoc = { problem: 'a here-document is unclear', children: [] };

function findEnd(
  source: string,
  from: number,
  delimiter: string,
  stripTabs: boolean,
): { end: number } | undefined {
  for (let at = from; at <= source.length; ) {
    const newline = source.indexOf('\n', at);
    const lineEnd = newline < 0 ? source.length : newline;
    const line = source.slice(at, lineEnd);
    if ((stripTabs ? line.replace(/^\t+/, '') : line) === delimiter) return { end: lineEnd };
    if (newline < 0) return undefined;
    at = newline + 1;
  }
  return undefined;
}
