/**
 * A name for something short-lived that says whose it is. Two never meet; a stranger may guess it, so that whoever
 * uses it must refuse what exists already.
 *
 * Not by `node:crypto`: loading that takes as long as building the jail.
 */
export function uniqueName(): string {
  return `sallyport-${process.pid}-${Math.random().toString(36).slice(2)}`;
}

/** The process that made a name; undefined for a name of somebody else. */
export function makerOf(name: string): number | undefined {
  const [, pid] = /^sallyport-(\d+)-/.exec(name) ?? [];
  return pid === undefined ? undefined : Number(pid);
}
