import { SallyportError } from '@sallyport/protocol';
import { findStandIns, type Injection } from '../../credentials/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import type { Header } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';
import type { ProxyParts } from './proxy-parts.ts';
import type { ProxySettings } from './proxy-settings.ts';

/** What will be lent with a request, by name. */
export interface Choice {
  readonly credential: string | undefined;
  readonly inject: Injection | undefined;
  /** placeholders and one-time references that the request holds; all of them stand for `credential` */
  readonly standIns: readonly string[];
  /** named by its placeholder alone */
  readonly onlyStandIns: boolean;
}

export interface ChoiceRequest {
  readonly session: SessionFacts;
  readonly host: string;
  readonly port: number;
  /** normalised; undefined when it cannot be read one way */
  readonly path: string | undefined;
  readonly target: string;
  readonly headers: readonly Header[];
  /** the body, when all of it is here */
  readonly body: Buffer | undefined;
}

type Parts = Pick<ProxyParts, 'broker' | 'placeholders' | 'references'>;

/**
 * Which credential goes with a request: the one that `X-Creds` names, or else the route's, or else the one whose
 * placeholder it holds. Throws `CredentialNotAllowed` for one that the session may not use, one that is not for this
 * host, two at once, and for placeholders that stand for nothing here.
 */
export function chooseCredential(parts: Parts, settings: ProxySettings, ask: ChoiceRequest): Choice {
  const named = selector(ask.headers);
  const route = named === undefined ? settings.routeFor(ask.host, ask.port, ask.path) : undefined;
  const wanted = named ?? route?.credential;
  const standIns = findStandIns({
    target: ask.target,
    headers: ask.headers,
    ...(ask.body === undefined ? {} : { body: ask.body }),
  });
  const stood = standInCredential(parts, ask, standIns);
  if (wanted !== undefined && stood !== undefined && wanted !== stood)
    throw notAllowed('two credentials at once');
  const credential = wanted ?? stood;
  if (credential !== undefined) requireAllowed(parts, ask, credential);
  return {
    credential,
    inject: route?.inject,
    standIns,
    onlyStandIns: wanted === undefined && stood !== undefined,
  };
}

/** SECURITY: looked at before anyone is asked; whoever lends looks again [CR-2, CR-5]. */
function requireAllowed({ broker }: Parts, { session, host }: ChoiceRequest, name: string): void {
  const facts = session.credentials.includes(name) ? broker.facts(session.tenant, name) : undefined;
  if (facts === undefined) throw notAllowed(`this session may not use the credential \`${name}\``);
  if (!facts.mayGoTo(host)) throw notAllowed(`the credential \`${name}\` is not for \`${host}\``);
}

/** SECURITY: a stand-in that means nothing here is somebody else's, or an attempt: it goes nowhere [CR-7]. */
function standInCredential(
  parts: Parts,
  ask: ChoiceRequest,
  standIns: readonly string[],
): string | undefined {
  let found: string | undefined;
  const { session, host } = ask;
  for (const standIn of standIns) {
    const name =
      parts.placeholders.resolve(session, standIn) ??
      parts.references.peek(standIn, { tenant: session.tenant, session: session.id, host });
    if (name === undefined) throw notAllowed('a placeholder that stands for nothing here');
    if (found !== undefined && found !== name) throw notAllowed('placeholders of two credentials');
    found = name;
  }
  return found;
}

function selector(headers: readonly Header[]): string | undefined {
  let found: string | undefined;
  for (const header of headers) {
    if (header[0].length !== 7 || lowerFieldName(header[0]) !== 'x-creds') continue;
    if (found !== undefined) throw notAllowed('two `X-Creds` headers');
    found = header[1];
  }
  return found;
}

function notAllowed(message: string): SallyportError {
  return new SallyportError('CredentialNotAllowed', { message });
}
