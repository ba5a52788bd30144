import type { PathTarget } from '@sallyport/protocol';
import { escapeGlob } from '../shared/glob.ts';
import { joinWords } from './operation.ts';
import { NO_HOSTS, never, none, type TargetDefinition } from './target-definition.ts';

/** Files: what `Read`, `Write`, `fs.*` name. */
export const pathTarget: TargetDefinition<PathTarget> = {
  ruledBy: 'paths',
  namesNothing: false,
  paths: ({ paths }) => paths,
  namesEveryPath: true,
  namedPaths: never,
  folder: ({ cwd }) => cwd,
  hosts: () => NO_HOSTS,
  domains: never,
  addresses: never,
  account: none,
  repositories: never,
  missing: () => 'PathOutsideBoundary',
  pattern({ paths }) {
    const [path] = paths;
    return path === undefined || paths.length > 1 ? undefined : `/${escapeGlob(path.real)}`;
  },
  operations: ({ paths }, { tool }) => [
    { operation: tool, object: joinWords(paths.map(({ real }) => real).sort()) },
  ],
  summary: ({ paths }) => paths.map(({ real }) => real).join(', '),
};
