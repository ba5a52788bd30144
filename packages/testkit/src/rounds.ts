/**
 * How often something long is done: kill loops, fuzzing, properties. A tenth on a machine like any, so that `npm test`
 * takes minutes; all of it with `SALLYPORT_TEST_ALL=1`, as CI does.
 */
export function rounds(full: number): number {
  return process.env.SALLYPORT_TEST_ALL === '1' ? full : Math.ceil(full / 10);
}
