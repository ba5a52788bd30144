import type { Duplex } from 'node:stream';

/** The far end of a connection that an executor opened for one permit. Whoever has it joins it with the agent's end, once. */
export class Line {
  readonly #upstream: Duplex;

  constructor(upstream: Duplex) {
    this.#upstream = upstream;
  }

  /** Nobody is at the other end any more. */
  close(): void {
    this.#upstream.destroy();
  }

  /**
   * Passes bytes both ways, each no faster than the other side reads, until both are done or one is gone. Gives how many
   * came from upstream. Never rejects: whatever ends it, both ends are closed.
   */
  join(agent: Duplex, signal: AbortSignal): Promise<number> {
    const upstream = this.#upstream;
    return new Promise((resolve) => {
      let bytes = 0;
      let open = 2;
      const stop = (): void => {
        signal.removeEventListener('abort', stop);
        agent.destroy();
        upstream.destroy();
        resolve(bytes);
      };
      const endOf = (other: Duplex) => (): void => {
        open -= 1;
        if (open > 0) other.end();
        else other.end(stop);
      };
      signal.addEventListener('abort', stop, { once: true });
      for (const side of [agent, upstream]) {
        side.on('error', stop);
        side.on('close', stop);
      }
      agent.on('drain', () => upstream.resume());
      upstream.on('drain', () => agent.resume());
      agent.on('data', (chunk: Buffer) => {
        if (!upstream.write(chunk)) agent.pause();
      });
      upstream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (!agent.write(chunk)) upstream.pause();
      });
      agent.on('end', endOf(upstream));
      upstream.on('end', endOf(agent));
      agent.resume();
      upstream.resume();
      if (signal.aborted) stop();
    });
  }
}
