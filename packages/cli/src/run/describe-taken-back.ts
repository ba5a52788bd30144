import { dirname } from 'node:path';
import type { TakenBackWire } from '@sallyport/protocol';
import { visibleLine } from '../output.ts';

const MOST_LISTED = 8;

/** What an agent wrote where it would have run later, outside the jail; `count`: all of it. */
export function describeTakenBack(found: readonly TakenBackWire[], count: number): readonly string[] {
  const isOpen = ({ why }: TakenBackWire): boolean => why.startsWith('COULD NOT');
  const open = found.filter(isOpen);
  const places = found.filter((place) => !isOpen(place));
  return [
    ...(places.length === 0 ? [] : describeTaken(places, count - open.length)),
    ...open.map(
      ({ path, why }) =>
        `sallyport: ${visibleLine(path)} ${why.toLowerCase()}: see what the agent left there before you use git or an editor in it`,
    ),
  ];
}

function describeTaken(places: readonly TakenBackWire[], count: number): readonly string[] {
  // Below `node_modules` and its like it is the packages' own, which nobody reads one by one.
  const isOwn = ({ path }: TakenBackWire): boolean => !path.includes('node_modules/');
  const shown = [...places.filter(isOwn), ...places.filter((place) => !isOwn(place))].slice(0, MOST_LISTED);
  const more = count - shown.length;
  const kept = places.find((place) => place.kept !== null)?.kept;
  return [
    `sallyport: taken back, because it would run outside the jail: ${count} ${count === 1 ? 'place' : 'places'}`,
    ...shown.map(({ path, why, times }) => {
      const often = times > 1 ? ` (${times} times)` : '';
      return `  ${visibleLine(path)}: ${visibleLine(why)}${often}`;
    }),
    ...(more > 0 ? [`  and ${more} more: sallyport audit search PlantsTakenBack`] : []),
    ...(kept === null || kept === undefined
      ? []
      : [`  what the agent wrote is kept in ${visibleLine(dirname(kept))}`]),
  ];
}
