import process from 'node:process';

/** `run` is typed all day, so it goes its own way: past everything that the other commands need. */
const [word, ...rest] = process.argv.slice(2);
const isHelp = rest.length === 0 || rest[0] === '--help' || rest[0] === '-h';
if (word === 'run' && !isHelp) await import('./run/main.ts');
else await import('./main-program.ts');
