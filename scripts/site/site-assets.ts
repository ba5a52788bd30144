/** How the pages look: light and dark, without anything from elsewhere. */
export const siteStyle = `
:root { color-scheme: light dark; --text: #1c2430; --dim: #5b6675; --line: #d8dee6; --back: #fff; --code: #f4f6f8; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --text: #d7dde5; --dim: #93a0b0; --line: #2c3642; --back: #12171d; --code: #1b222a; --link: #6cb2f7; }
}
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
header { position: sticky; top: 0; display: flex; gap: 1.2rem; align-items: center; padding: .6rem 1.2rem;
  border-bottom: 1px solid var(--line); background: var(--back); }
header a { font-weight: 600; text-decoration: none; }
#search { margin-left: auto; width: 16rem; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--code); color: var(--text); font: inherit; }
#found { position: absolute; right: 1.2rem; top: 2.6rem; width: 26rem; max-height: 70vh; overflow: auto; margin: 0;
  padding: 0; list-style: none; background: var(--back); border: 1px solid var(--line); border-radius: 6px; }
#found:empty { display: none; }
#found li { padding: .5rem .8rem; border-bottom: 1px solid var(--line); }
#found small { display: block; color: var(--dim); }
main { max-width: 50rem; margin: 0 auto; padding: 1.2rem; }
a { color: var(--link); }
pre, code { background: var(--code); border-radius: 5px; font-size: .9em; }
pre { padding: .8rem 1rem; overflow-x: auto; line-height: 1.45; }
code { padding: .1em .3em; } pre code { padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
@media (max-width: 40rem) { #search { width: 8rem; } #found { width: calc(100vw - 2.6rem); } }
`;

/** All words must be there; a title counts more than a text. */
export const searchScript = `
const field = document.getElementById('search');
const found = document.getElementById('found');
field.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  found.replaceChildren();
  if (words.length === 0) return;
  const score = ({ title, text }) => {
    const [head, body] = [title.toLowerCase(), text.toLowerCase()];
    if (!words.every((word) => head.includes(word) || body.includes(word))) return 0;
    return words.reduce((sum, word) => sum + (head.includes(word) ? 50 : 0) + Math.min(20, body.split(word).length), 1);
  };
  const best = PAGES.map((page) => ({ page, points: score(page) })).filter(({ points }) => points > 0);
  for (const { page } of best.sort((a, b) => b.points - a.points).slice(0, 12)) {
    const link = document.createElement('a');
    link.href = field.dataset.up + '/' + page.out;
    link.textContent = page.title;
    const at = Math.max(0, page.text.toLowerCase().indexOf(words[0]) - 40);
    const around = document.createElement('small');
    around.textContent = page.text.slice(at, at + 120);
    const item = document.createElement('li');
    item.append(link, around);
    found.append(item);
  }
});
`;
