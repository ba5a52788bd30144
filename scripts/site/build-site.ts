/** `npm run site [FOLDER]`: the Markdown of docs/ as pages that are read and searched without a network. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { Marked } from 'marked';
import { searchScript, siteStyle } from './site-assets.ts';

const root = resolve(import.meta.dirname, '../..');

interface Page {
  /** of the Markdown file, from the root of the repository */
  readonly path: string;
  /** of the page, from the root of the site */
  readonly out: string;
  readonly title: string;
  readonly html: string;
  readonly text: string;
}

/** Headings as GitHub names them, so that links into a page lead to the same place here. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/<[^>]*>|`/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** Builds all pages and returns the links that lead nowhere. */
export function buildSite(target: string): readonly string[] {
  const files = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...markdownBelow('docs')];
  const outs = new Map(files.map((path) => [path, outOf(path)]));
  const broken: string[] = [];
  const pages = files.map((path) => render(path, outs, broken));
  rmSync(target, { recursive: true, force: true });
  for (const page of pages) {
    const file = join(target, page.out);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, pageHtml(page));
  }
  const index = pages.map(({ out, title, text }) => ({ out, title, text }));
  writeFileSync(join(target, 'style.css'), siteStyle);
  // A script and not JSON: a page that was opened from a disk may not fetch its neighbour.
  writeFileSync(join(target, 'search.js'), `const PAGES = ${JSON.stringify(index)};\n${searchScript}`);
  const pictures = join(root, 'docs/pictures');
  if (existsSync(pictures)) cpSync(pictures, join(target, 'docs/pictures'), { recursive: true });
  return broken;
}

function render(path: string, outs: ReadonlyMap<string, string>, broken: string[]): Page {
  const source = readFileSync(join(root, path), 'utf8');
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        return `<a href="${escaped(linkOf(href, path, outs, broken))}">${inner}</a>`;
      },
    },
  });
  const html = String(marked.parse(source));
  const title = /^# (.+)$/m.exec(source)?.[1] ?? path;
  const text = html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 60_000);
  return { path, out: outOf(path), title: title.replaceAll('`', ''), html, text };
}

/** A link between Markdown files becomes one between pages; to another file of the repository it stays a name. */
function linkOf(href: string, from: string, outs: ReadonlyMap<string, string>, broken: string[]): string {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [file = '', hash] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(from), file));
  const page = outs.get(target) ?? outs.get(posix.join(target, 'README.md'));
  if (page !== undefined) {
    return `${posix.relative(posix.dirname(outOf(from)), page)}${hash === undefined ? '' : `#${hash}`}`;
  }
  if (!existsSync(join(root, target))) broken.push(`${from}: ${href}`);
  return href;
}

function pageHtml({ out, title, html }: Page): string {
  const up = posix.relative(posix.dirname(out), '.') || '.';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)} · Sallyport</title><link rel="stylesheet" href="${up}/style.css"></head>
<body><header><a href="${up}/index.html">Sallyport</a> <a href="${up}/docs/index.html">Documentation</a>
<input id="search" type="search" placeholder="Search" aria-label="Search" data-up="${up}"><ul id="found"></ul></header>
<main>${html}</main><script src="${up}/search.js"></script></body></html>
`;
}

function outOf(path: string): string {
  return path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
}

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

if (process.argv[1] === import.meta.filename) {
  const target = resolve(process.argv[2] ?? join(root, 'dist/site'));
  const broken = buildSite(target);
  for (const link of broken) console.error(`a link that leads nowhere: ${link}`);
  console.log(`the site is in ${target}: open ${join(target, 'index.html')}`);
  if (broken.length > 0) process.exit(1);
}
