/** What a terminal showed, with its colours, as an SVG. */
export interface Pane {
  readonly title: string;
  /** as tmux captures it with `-e` */
  readonly text: string;
}

const THEMES = {
  light: { back: '#ffffff', frame: '#d0d7de', text: '#1f2328', dim: '#6e7781', bar: '#f6f8fa' },
  dark: { back: '#0d1117', frame: '#30363d', text: '#e6edf3', dim: '#8b949e', bar: '#161b22' },
} as const;
/** Colours 30 to 37 as each theme can be read. */
const COLORS = {
  light: ['#1f2328', '#cf222e', '#116329', '#9a6700', '#0550ae', '#8250df', '#1b7c83', '#6e7781'],
  dark: ['#8b949e', '#ff7b72', '#3fb950', '#d29922', '#79c0ff', '#d2a8ff', '#39c5cf', '#e6edf3'],
} as const;
const WIDE = 8.4;
const HIGH = 19;
const EDGE = 16;
const BAR = 30;

export function terminalSvg(panes: readonly Pane[], columns: number, theme: 'light' | 'dark'): string {
  const colors = THEMES[theme];
  const width = Math.ceil(columns * WIDE + EDGE * 2);
  const parts: string[] = [];
  let top = 0;
  for (const { title, text } of panes) {
    const lines = text.trimEnd().split('\n');
    const height = BAR + lines.length * HIGH + EDGE;
    parts.push(
      `<rect x="0.5" y="${top + 0.5}" width="${width - 1}" height="${height - 1}" rx="8" fill="${colors.back}" stroke="${colors.frame}"/>`,
      `<rect x="1" y="${top + 1}" width="${width - 2}" height="${BAR - 8}" rx="8" fill="${colors.bar}"/>`,
      `<text x="${EDGE}" y="${top + 16}" fill="${colors.dim}" font-size="12">${escaped(title)}</text>`,
      ...lines.map((line, index) => lineSvg(line, top + BAR + (index + 1) * HIGH - 5, theme)),
    );
    top += height + 12;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top - 12}" viewBox="0 0 ${width} ${top - 12}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
<title>${escaped(panes.map(({ title }) => title).join(', '))}</title>
${parts.join('\n')}
</svg>
`;
}

/** Each run of one style is placed by its column, so that a wider font moves nothing. */
function lineSvg(line: string, y: number, theme: 'light' | 'dark'): string {
  const spans: string[] = [];
  let [column, color, bold]: [number, string, boolean] = [0, THEMES[theme].text, false];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this reads
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
    const code = /^\u001b\[([0-9;]*)m$/.exec(part)?.[1];
    if (code === undefined) {
      if (part.trim() !== '') {
        const length = (part.length * WIDE).toFixed(1);
        spans.push(
          `<text x="${(EDGE + column * WIDE).toFixed(1)}" y="${y}" fill="${color}"${bold ? ' font-weight="600"' : ''} textLength="${length}" xml:space="preserve">${escaped(part)}</text>`,
        );
      }
      column += part.length;
      continue;
    }
    for (const one of code.split(';').map(Number)) {
      if (one === 0 || Number.isNaN(one)) [color, bold] = [THEMES[theme].text, false];
      else if (one === 1) bold = true;
      else if (one === 2) color = THEMES[theme].dim;
      else if (one === 39) color = THEMES[theme].text;
      else if (one >= 30 && one <= 37) color = COLORS[theme][one - 30] ?? color;
    }
  }
  return spans.join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
