import type { Secret } from '../../shared/secret.ts';
import type { FeedLine } from '../feed/feed.ts';
import type { AuditSink } from './audit-sink.ts';
import { httpPost } from './webhook-sink.ts';

export interface OtlpSinkOptions {
  /** last part of the sink's id: letters, digits, `-` */
  readonly name: string;
  /** base address of the collector, as in `OTEL_EXPORTER_OTLP_ENDPOINT`; `/v1/logs` is added */
  readonly endpoint: string;
  /** sent along, for collectors that want a key */
  readonly headers?: Readonly<Record<string, Secret>> | undefined;
  readonly serviceName: string;
}

/** Severity INFO; what an event means is for the reader to say. */
const SEVERITY_INFO = 9;

/**
 * OpenTelemetry logs over OTLP/HTTP with JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp): one log record
 * for each event, the event's bytes as the body.
 */
export class OtlpSink implements AuditSink {
  readonly id: string;
  readonly resume = 'stored';
  readonly #url: string;
  readonly #options: OtlpSinkOptions;

  constructor(options: OtlpSinkOptions) {
    this.id = `sinks.otlp.${options.name}`;
    this.#options = options;
    this.#url = `${options.endpoint.replace(/\/+$/, '')}/v1/logs`;
  }

  async write(lines: readonly FeedLine[], signal: AbortSignal): Promise<void> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    for (const [name, value] of Object.entries(this.#options.headers ?? {})) headers[name] = value.reveal();
    await httpPost(
      this.#url,
      headers,
      JSON.stringify(toLogsRequest(lines, this.#options.serviceName)),
      signal,
    );
  }

  async close(): Promise<void> {}
}

function toLogsRequest(lines: readonly FeedLine[], serviceName: string): object {
  return {
    resourceLogs: [
      {
        resource: { attributes: [attribute('service.name', serviceName)] },
        scopeLogs: [{ scope: { name: 'sallyport.audit' }, logRecords: lines.map(toLogRecord) }],
      },
    ],
  };
}

function toLogRecord(line: FeedLine): object {
  const at: unknown = /"at":"([^"]+)"/.exec(line.json)?.[1];
  const ms = typeof at === 'string' ? Date.parse(at) : 0;
  return {
    // Nanoseconds do not fit a JSON number: OTLP writes 64-bit integers as strings.
    timeUnixNano: `${ms}000000`,
    severityNumber: SEVERITY_INFO,
    severityText: 'INFO',
    eventName: line.type,
    body: { stringValue: line.json },
    attributes: [
      attribute('sallyport.tenant', line.tenant),
      attribute('sallyport.event.id', line.id),
      { key: 'sallyport.event.seq', value: { intValue: String(line.seq) } },
      attribute('sallyport.event.type', line.type),
    ],
  };
}

function attribute(key: string, value: string): object {
  return { key, value: { stringValue: value } };
}
