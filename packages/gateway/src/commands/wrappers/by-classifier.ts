import { type CliIntent, classifyCli } from '../../actions/index.ts';
import type { CommandPlace } from '../wrapper.ts';

/** What the tables of `actions/cli` say of a command, by the name that it was called by. */
export function byClassifier(argv: readonly string[], place: CommandPlace): CliIntent {
  return classifyCli(argv, place) ?? unreadable(argv[0] ?? '');
}

/** A program without a table: a remote write of the highest risk. */
export function unreadable(program: string): CliIntent {
  return {
    effect: 'write',
    reach: 'remote',
    type: 'custom:cli',
    risk: 'critical',
    unknownHosts: true,
    runsCode: true,
    unknown: `\`${program}\` could not be read`,
  };
}
