import { SallyportError } from '@sallyport/protocol';

/**
 * For a walk through the database that does not get ahead: a damaged index can lead in a circle, and whoever damaged
 * it would have stopped the gateway with it.
 */
export function damagedStore(): SallyportError {
  return new SallyportError('StoreUnusable', {
    message: 'the database is damaged: its events are not in order',
    hint: 'run `sallyport audit verify`, and restore the database from a backup',
  });
}
