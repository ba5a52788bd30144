import { compileDomainPatterns, type DomainMatcher } from '../../../shared/host.ts';
import { riskOf } from '../../risk.ts';
import { chosenIn, SEVERAL } from '../chosen-operation.ts';
import { type Finding, maxRisk, UNKNOWN, unknown } from '../finding.ts';
import type { HttpClassification, HttpRequestHead } from '../http-request.ts';
import { classifyInference } from '../models/inference.ts';
import { PROVIDERS } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';
import { RequestView } from '../request-view.ts';
import { findWriteSignal, type WriteSignal } from '../write-signals.ts';
import {
  compileProviderHosts,
  type ProviderEntry,
  type ProviderLookup,
  type ProviderMatch,
} from './provider-hosts.ts';

export interface HttpClassifierOptions {
  /** config `providers:`; goes before the built-in hosts */
  readonly providers?: readonly ProviderEntry[];
  /** package registries that discovery found; the built-in hosts go before them */
  readonly registries?: readonly ProviderEntry[];
  /** hosts and patterns of the telemetry list */
  readonly telemetry?: readonly string[];
}

/** Tables that one configuration needs, compiled once. */
export interface HttpTables {
  readonly providerOf: ProviderLookup;
  readonly isTelemetry: (host: string) => boolean;
}

/** `credential`: name of the one that will be lent. */
export type HttpClassifier = (request: HttpRequestHead, credential?: string) => HttpClassification;

/** Compiles the tables; throws `ConfigInvalid` for a host or provider that nobody knows. */
export function compileHttpTables(options: HttpClassifierOptions = {}): HttpTables {
  return {
    providerOf: compileProviderHosts(options.providers, options.registries),
    isTelemetry: rememberHosts(compileDomainPatterns(options.telemetry ?? [])),
  };
}

const HOSTS_AT_MOST = 1000;

/** The same few hosts are asked again and again: each is looked for once. */
function rememberHosts(find: DomainMatcher): HttpTables['isTelemetry'] {
  const known = new Map<string, boolean>();
  return (host) => {
    let answer = known.get(host);
    if (answer === undefined) {
      answer = find(host) !== undefined;
      if (known.size < HOSTS_AT_MOST) known.set(host, answer);
    }
    return answer;
  };
}

/** `classifyHttp` with its tables compiled once: for every request of one configuration. */
export function createHttpClassifier(options: HttpClassifierOptions = {}): HttpClassifier {
  const tables = compileHttpTables(options);
  return (request, credential) => classifyHttp(request, tables, credential);
}

/**
 * Whether a classifier must see all of a JSON body, however long it is: a request that runs a model. A door then reads
 * on, decodes what is encoded, and hands over the outline.
 */
export function wantsOutline(request: HttpRequestHead, tables: HttpTables): boolean {
  const match = tables.providerOf(request.host, request.port);
  const provider: Provider | undefined = match === undefined ? undefined : PROVIDERS[match.name];
  if (provider?.inferenceOf === undefined || request.scheme === 'tunnel') return false;
  const view = new RequestView(request);
  return view.isJson && provider.inferenceOf(view) !== undefined;
}

/**
 * Says what a request does. Total: whatever comes in, an answer comes out, and what is not known is a write.
 *
 * 1. A target that no two servers read alike is not known.
 * 2. A provider that knows the host says what its published operations say; what runs a model is known by its body.
 * 3. Otherwise GET, HEAD and OPTIONS read and the rest writes.
 * 4. A write signal (tunnel, upgrade, unknown method, override, GET with a body) turns any read into a write.
 */
export function classifyHttp(
  request: HttpRequestHead,
  tables: HttpTables,
  credential?: string,
): HttpClassification {
  const view = new RequestView(request);
  const match = tables.providerOf(request.host, request.port);
  const provider = match?.name;
  const finding = find(view, match, credential);
  const signal = findWriteSignal(view);
  const settled = signal === undefined ? finding : asWrite(finding, signal);
  const { effect, type, risk, operation, object, repo } = settled;
  // Member by member, not by spreading: this runs for every request.
  const answer: { -readonly [Key in keyof HttpClassification]: HttpClassification[Key] } = {
    effect,
    type,
    risk,
    reach: 'remote',
    target: view.target,
  };
  if (provider !== undefined) answer.provider = provider;
  if (operation !== undefined) answer.operation = operation;
  if (object !== undefined) answer.object = object;
  if (repo !== undefined) answer.repo = repo;
  const { decoded } = view;
  if (decoded !== undefined) answer.text = decoded;
  if (settled.quiet === true || tables.isTelemetry(request.host)) answer.quiet = true;
  return answer;
}

function find(view: RequestView, match: ProviderMatch | undefined, credential: string | undefined): Finding {
  const { target } = view;
  if (target.problem !== undefined) return unknown(target.problem);
  if (match === undefined || view.head.scheme === 'tunnel') return byMethod(view);
  const provider: Provider = PROVIDERS[match.name];
  // SECURITY: `/repos/a/../admin` and `%2f` mean different operations to different servers; a table of paths
  // would judge one and the provider would run the other.
  if (target.rewritten || (target.veiled && provider.veiledPaths !== true)) return unknown('ambiguous path');
  const inference = provider.inferenceOf?.(view);
  if (inference !== undefined) {
    const isLent = credential !== undefined || provider.isKeyless === true;
    return classifyInference(view, inference, { isFixed: match.isFixed, isLent });
  }
  return provider.classify(view) ?? byMethod(view);
}

function byMethod(view: RequestView): Finding {
  const effect = view.isSafe ? 'read' : 'write';
  const finding = { effect, type: 'custom:http', risk: riskOf('custom:http', effect) } as const;
  const chosen = effect === 'read' || view.head.scheme === 'tunnel' ? undefined : chosenIn(view);
  if (chosen === undefined) return finding;
  return { ...finding, operation: chosen === SEVERAL ? `${UNKNOWN}${SEVERAL}` : chosen };
}

// Types that only a read has: a write that carries one would slip through a rule about reads.
const READ_TYPES = new Set(['vcs:read', 'db:query', 'custom:inference']);

/**
 * SECURITY: the signal also takes the operation's name and the certainty about its branches away, so that no
 * exception for `mutation commentCreate` or for owned branches covers what an override makes of the request.
 */
function asWrite(finding: Finding, signal: WriteSignal): Finding {
  const risk = maxRisk(maxRisk(finding.risk, signal.risk), riskOf('custom:http', 'write'));
  const type = READ_TYPES.has(finding.type) ? 'custom:http' : finding.type;
  const { repo } = finding;
  return {
    ...finding,
    effect: 'write',
    type,
    risk,
    operation: `${UNKNOWN}${signal.why}`,
    ...(repo === undefined
      ? {}
      : { repo: { ...repo, refs: [...repo.refs, { ref: '*', change: 'unknown' }] } }),
  };
}
