import { SallyportError } from '@sallyport/protocol';
import { carryOut } from '../../calls/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import { BadMessage } from '../../shared/http1/index.ts';
import type { Incoming } from './incoming.ts';
import type { ProxyTools } from './proxy-parts.ts';
import { ProxyRequest } from './proxy-request.ts';
import { Telemetry } from './quiet-hosts.ts';
import { refusalFrom, refuse, statusOf } from './refusal.ts';

/** Handles a request whose session is known, to its end; then `onDone` is called. */
export function runRequest(
  tools: ProxyTools,
  incoming: Incoming,
  session: SessionFacts,
  onDone: () => void,
): void {
  let request: ProxyRequest;
  try {
    request = new ProxyRequest(tools, incoming, session, onDone);
  } catch (error) {
    block(tools, incoming, session, error);
    onDone();
    return;
  }
  if (!incoming.hasBody) begin(tools, request);
  else
    request.read().then(
      () => begin(tools, request),
      (error: unknown) => fail(tools, request, error),
    );
}

/** Nothing is waited for, and nothing made for it, where the gate answers at once. */
function begin(tools: ProxyTools, request: ProxyRequest): void {
  try {
    carryOut(tools.carryOut, request)?.catch((error: unknown) => fail(tools, request, error));
  } catch (error) {
    fail(tools, request, error);
  }
}

function fail(tools: ProxyTools, request: ProxyRequest, error: unknown): void {
  block(tools, request.incoming, request.session, error);
  request.over();
}

/** What fails before there is an action is this door's own refusal. */
function block(tools: ProxyTools, incoming: Incoming, session: SessionFacts, error: unknown): void {
  if (error instanceof Telemetry) {
    blockQuietly(tools, incoming, session, error);
    return;
  }
  const refusal = refusalFrom(error);
  const { host, method } = incoming;
  // An agent that leaves in the middle of its own request is nobody's fault.
  if (!(error instanceof SallyportError) && !incoming.signal.aborted)
    tools.parts.log.warn({ err: error }, 'a request failed at the proxy');
  tools.blocked.record({ session, code: refusal.code, reason: reasonOf(error, incoming), host, method });
  refuse(incoming, refusal);
}

function reasonOf(error: unknown, { signal }: Incoming): string {
  if (error instanceof BadMessage) return error.reason;
  return signal.aborted ? 'agent-left' : refusalFrom(error).message;
}

function blockQuietly(
  { blocked, quiet }: ProxyTools,
  incoming: Incoming,
  session: SessionFacts,
  { code, message }: Telemetry,
): void {
  const { host, method } = incoming;
  const count = quiet.count(session.id, host);
  if (count !== undefined) {
    const extra = { refused: count };
    blocked.record({ session, code, reason: 'telemetry', host, method, extra });
  }
  refuse(incoming, { status: statusOf(code), code, message });
}
