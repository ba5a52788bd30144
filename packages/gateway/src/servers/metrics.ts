import type { Counter, Histogram, Registry } from 'prom-client';

interface RequestLabels {
  readonly side: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

interface Library {
  readonly registry: Registry;
  readonly requests: Counter;
  readonly durations: Histogram;
}

/** Requests that are answered while the library is on its way; more than that many are not counted. */
const MAX_EARLY = 1_000;

/**
 * What the gateway counts about itself. One registry for each gateway, so that two in a process stay apart.
 *
 * The library takes as long to load as everything else that a first answer needs: it comes after that answer.
 */
export class Metrics {
  readonly #gauges: { name: string; help: string; read: () => number | Promise<number> }[] = [];
  readonly #early: { labels: RequestLabels; seconds: number }[] = [];
  #loading: Promise<Library> | undefined;
  #library: Library | undefined;

  /** `route` is the pattern, never the path: labels must not grow with what callers send. */
  countRequest(labels: RequestLabels, seconds: number): void {
    if (this.#library !== undefined) count(this.#library, labels, seconds);
    else {
      if (this.#early.length < MAX_EARLY) this.#early.push({ labels, seconds });
      void this.#load();
    }
  }

  /** A number that is read when someone asks. */
  gauge(name: `sallyport_${string}`, help: string, read: () => number | Promise<number>): void {
    this.#gauges.push({ name, help, read });
  }

  /** Prometheus text, and the type to send it with. */
  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    const { registry } = await this.#load();
    return { contentType: registry.contentType, body: await registry.metrics() };
  }

  #load(): Promise<Library> {
    this.#loading ??= this.#build();
    return this.#loading;
  }

  async #build(): Promise<Library> {
    const prometheus = await import('prom-client');
    const registry = new prometheus.Registry();
    prometheus.collectDefaultMetrics({ register: registry });
    const library: Library = {
      registry,
      requests: new prometheus.Counter({
        name: 'sallyport_http_requests_total',
        help: 'HTTP requests answered',
        labelNames: ['side', 'method', 'route', 'status'],
        registers: [registry],
      }),
      durations: new prometheus.Histogram({
        name: 'sallyport_http_request_seconds',
        help: 'time from the first byte of a request to the last of its answer',
        labelNames: ['side', 'route'],
        buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
        registers: [registry],
      }),
    };
    for (const { name, help, read } of this.#gauges) {
      new prometheus.Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      });
    }
    for (const { labels, seconds } of this.#early.splice(0)) count(library, labels, seconds);
    this.#library = library;
    return library;
  }
}

function count({ requests, durations }: Library, labels: RequestLabels, seconds: number): void {
  requests.inc({ ...labels });
  durations.observe({ side: labels.side, route: labels.route }, seconds);
}
