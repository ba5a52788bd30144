/**
 * How often something long is done: kill loops, fuzzing, properties. A tenth on a machine like any, so that `npm test`
 * takes minutes; all of it with `SALLYPORT_TEST_ALL=1`, as CI does.
 */
export function rounds(full: number): number {
  return process.env.SALLYPORT_TEST_ALL === '1' ? full : Math.ceil(full / 10);
}

/** For what takes many minutes: a twentieth of that, and all of it with `SALLYPORT_SOAK=1`, as `npm run soak:undo` does. */
export function soakRounds(full: number): number {
  return process.env.SALLYPORT_SOAK === '1' ? full : rounds(Math.ceil(full / 20));
}

/** As `rounds`, for a long list of cases that were made from something: every tenth, or all of them. */
export function sample<T>(cases: readonly T[]): readonly T[] {
  return process.env.SALLYPORT_TEST_ALL === '1' ? cases : cases.filter((_, index) => index % 10 === 0);
}
