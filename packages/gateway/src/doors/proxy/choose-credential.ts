import { SallyportError } from '@sallyport/protocol';
import {
  type CredentialFacts,
  findMentions,
  type Injection,
  isInPlace,
  type Places,
} from '../../credentials/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import type { Header } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';
import type { ProxyParts } from './proxy-parts.ts';
import type { ProxySettings } from './proxy-settings.ts';

/** What will be lent with a request, by name. */
export interface Choice {
  readonly credential: string | undefined;
  readonly inject: Injection | undefined;
  /** placeholders and one-time references that are replaced: all of them stand for `credential`, in its places */
  readonly mentions: readonly string[];
  /** where they are replaced; undefined when nothing is lent */
  readonly places: Places | undefined;
  /** named by its placeholder alone */
  readonly onlyMentions: boolean;
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
  /** the request runs a model: nothing is put into its body, and what it quotes is only text */
  readonly isPrompt: boolean;
}

type Parts = Pick<ProxyParts, 'broker' | 'placeholders' | 'references'>;

/**
 * Which credential goes with a request: the one that `X-Creds` names, or else the route's, or else the one whose
 * placeholder it holds in one of its places. Throws `CredentialNotAllowed` for one that the session may not use, one that
 * is not for this host, two at once, and for placeholders that stand for nothing here, wherever they are.
 */
export function chooseCredential(parts: Parts, settings: ProxySettings, ask: ChoiceRequest): Choice {
  const named = selector(ask.headers);
  const route = named === undefined ? settings.routeFor(ask.host, ask.port, ask.path) : undefined;
  const wanted = named ?? route?.credential;
  const { target, headers, body } = ask;
  const found = findMentions(body === undefined ? { target, headers } : { target, headers, body });
  const { stood, mentions } = found.length === 0 ? NONE : mentioned(parts, ask, found, route?.inject);
  if (wanted !== undefined && stood !== undefined && wanted !== stood)
    throw notAllowed('two credentials at once');
  const credential = wanted ?? stood;
  if (credential === undefined) return NOTHING;
  const facts = requireAllowed(parts, ask, credential);
  return {
    credential,
    inject: route?.inject,
    mentions,
    places: placesOf(facts, route?.inject),
    onlyMentions: wanted === undefined,
  };
}

const NONE: Standing = { stood: undefined, mentions: [] };
const NOTHING: Choice = {
  credential: undefined,
  inject: undefined,
  mentions: [],
  places: undefined,
  onlyMentions: false,
};

/** A route that says how puts the value there, and nowhere else. */
function placesOf({ places }: CredentialFacts, inject: Injection | undefined): Places {
  return inject === undefined ? places : { ...places, headers: [inject.header.toLowerCase()], query: [] };
}

/** SECURITY: looked at before anyone is asked; whoever lends looks again [CR-2, CR-5]. */
function requireAllowed(
  { broker }: Parts,
  { session, host }: Pick<ChoiceRequest, 'session' | 'host'>,
  name: string,
): CredentialFacts {
  const facts = session.credentials.includes(name) ? broker.facts(session.tenant, name) : undefined;
  if (facts === undefined) throw notAllowed(`this session may not use the credential \`${name}\``);
  if (!facts.mayGoTo(host)) throw notAllowed(`the credential \`${name}\` is not for \`${host}\``);
  return facts;
}

interface Standing {
  /** credential that is named by what stands in one of its places */
  readonly stood: string | undefined;
  readonly mentions: readonly string[];
}

/**
 * SECURITY: a mention that means nothing here is somebody else's, or an attempt: it goes nowhere [CR-7]. One that means
 * something, but stands where its kind does not put the value, stays what it is: worthless [CR-8].
 */
function mentioned(
  parts: Parts,
  ask: ChoiceRequest,
  found: readonly string[],
  inject: Injection | undefined,
): Standing {
  const { session, host, target, headers, body, isPrompt } = ask;
  const seen = body === undefined ? { target, headers } : { target, headers, body };
  // What an agent once read of its environment is in every prompt from then on, also of the next session.
  const quoted = isPrompt ? new Set(found).difference(new Set(findMentions({ target, headers }))) : undefined;
  let stood: string | undefined;
  const mentions: string[] = [];
  for (const mention of found) {
    if (quoted?.has(mention) === true) continue;
    const name =
      parts.placeholders.resolve(session, mention) ??
      parts.references.peek(mention, { tenant: session.tenant, session: session.id, host });
    if (name === undefined) throw notAllowed('a placeholder that stands for nothing here');
    const places = placesOf(requireAllowed(parts, ask, name), inject);
    if (!isInPlace(seen, mention, places, !isPrompt)) continue;
    if (stood !== undefined && stood !== name) throw notAllowed('placeholders of two credentials');
    stood = name;
    mentions.push(mention);
  }
  return { stood, mentions };
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
