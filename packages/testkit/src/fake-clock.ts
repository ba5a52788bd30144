/** A clock that moves only when a test says so. */
export class FakeClock {
  #now: number;

  constructor(start: number | string = '2026-01-01T00:00:00.000Z') {
    this.#now = typeof start === 'number' ? start : Date.parse(start);
  }

  /** ms since epoch */
  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
