#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// `run` is typed all day: its compiled code is kept for the next time, which then takes half as long. Not for `start`,
// whose first time would take a third of a second more. In the person's own folder: whoever can write there can change
// what runs, and everyone can write to the place that Node would take by itself.
const { HOME, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : join(HOME || homedir(), '.cache');
if (process.argv[2] === 'run') module.enableCompileCache?.(join(caches, 'sallyport', 'compiled'));

await import('../src/main.ts');
