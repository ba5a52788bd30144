/**
 * A name for something short-lived that says whose it is. Two never meet; a stranger may guess it, so that whoever
 * uses it must refuse what exists already.
 *
 * Not by `node:crypto`: loading that takes as long as building the jail.
 */
export function uniqueName(kind: '' | 'etc-' = ''): string {
  return `sallyport-${kind}${process.pid}-${Math.random().toString(36).slice(2)}`;
}

/** Whether the process that made a name was killed before it could clean up. False for a name of somebody else. */
export function isLeftBehind(name: string): boolean {
  const [, pid] = /^sallyport-(?:etc-)?(\d+)-/.exec(name) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
