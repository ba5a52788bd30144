import { registerHooks } from 'node:module';

/** Tries undo with a part of it taken out: `file`, and what stands in it and what instead. Prints what is not as it was. */
const [template = '', file = '', part = '', instead = ''] = process.argv.slice(2);
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (file === '' || !url.endsWith(`/src/workspace/${file}`)) return loaded;
    const source = String(loaded.source);
    if (source.split(part).length !== 2) {
      process.stdout.write(JSON.stringify({ problem: `${file} does not have this once: ${part}` }));
      process.exit(2);
    }
    return { ...loaded, source: source.replace(part, () => instead) };
  },
});
const { differences } = await import('./one-of-everything.ts');
try {
  process.stdout.write(JSON.stringify({ found: differences(template) }));
} catch (error) {
  process.stdout.write(JSON.stringify({ found: [String(error)] }));
}
