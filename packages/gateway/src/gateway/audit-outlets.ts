import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import {
  type Anchor,
  type AuditSink,
  FileAnchor,
  JsonlSink,
  OtlpSink,
  type Redactor,
  StdoutSink,
  WebhookAnchor,
  WebhookSink,
} from '../audit/index.ts';
import type { AuditSinkConfig, Config, HomePaths, Variables } from '../config/index.ts';
import { assertNever } from '../shared/assert-never.ts';
import type { Clock } from '../shared/clock.ts';
import { readSecret } from './read-secret.ts';

export interface OutletContext {
  readonly paths: HomePaths;
  readonly env: Variables;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
}

/**
 * The sinks that the config asks for. JSONL files in the home are there in any case: the config only tunes
 * them. Throws `SecretUnreadable` or `SecretExposed` for a secret that cannot be read.
 */
export async function createSinks(
  audit: Config['audit'],
  context: OutletContext,
): Promise<readonly AuditSink[]> {
  const wanted = audit.sinks.some((sink) => sink.kind === 'jsonl')
    ? audit.sinks
    : [{ kind: 'jsonl' as const }, ...audit.sinks];
  return Promise.all(wanted.map((sink, index) => createSink(sink, `${index}`, context)));
}

export function createAnchor(audit: Config['audit'], context: OutletContext): Anchor | undefined {
  if (audit.anchor?.webhook !== undefined) return new WebhookAnchor(audit.anchor.webhook);
  if (audit.anchor?.file !== undefined) return new FileAnchor(resolve(context.paths.home, audit.anchor.file));
  return undefined;
}

type Wanted = AuditSinkConfig | { readonly kind: 'jsonl'; readonly max_bytes?: undefined };

async function createSink(sink: Wanted, name: string, context: OutletContext): Promise<AuditSink> {
  switch (sink.kind) {
    case 'jsonl':
      return new JsonlSink({
        folder: context.paths.auditFolder,
        ...(sink.max_bytes === undefined ? {} : { rotateBytes: sink.max_bytes }),
      });
    case 'stdout':
      return new StdoutSink(context.stdout);
    case 'webhook': {
      const secret = sink.secret === undefined ? undefined : await readSecret(sink.secret, context);
      return new WebhookSink({ name, url: sink.url, secret, clock: context.clock });
    }
    case 'otel': {
      const headers = await Promise.all(
        Object.entries(sink.headers).map(async ([header, from]) => [header, await readSecret(from, context)]),
      );
      return new OtlpSink({
        endpoint: sink.endpoint.replace(/\/v1\/logs\/?$/, ''),
        headers: Object.fromEntries(headers),
        serviceName: 'sallyport',
      });
    }
    default:
      return assertNever(sink);
  }
}
