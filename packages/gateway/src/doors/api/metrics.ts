import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the gateway counts about itself. One registry for each gateway, so that two in a process stay apart. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'sallyport_http_requests_total',
    help: 'HTTP requests answered',
    labelNames: ['side', 'method', 'route', 'status'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'sallyport_http_request_seconds',
    help: 'time from the first byte of a request to the last of its answer',
    labelNames: ['side', 'route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** `route` is the pattern, never the path: labels must not grow with what callers send. */
  countRequest(
    labels: { side: string; method: string; route: string; status: number },
    seconds: number,
  ): void {
    this.#requests.inc(labels);
    this.#durations.observe({ side: labels.side, route: labels.route }, seconds);
  }

  /** A number that is read when someone asks. */
  gauge(name: `sallyport_${string}`, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Prometheus text. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
