import { holdsKnownKey } from './values.ts';

/** Where a pair stands. */
export interface Place {
  readonly where: 'path' | 'query' | 'form';
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const SESSION_NAME = /^(?:session_?id|session|sid|connection_?token)$/i;
/** MCP over events, as its libraries make it: a UUID, or so many digits. */
const MCP_PATH = /\/(?:sse|mcp|messages?)(?:\/[\w-]{1,64})?\/?$/;
const MCP_HOST = /(?:^|[.-])mcp[.-]/;
const MCP_SESSION = /^(?:[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const JUPYTER_PATH = /\/(?:api\/(?:kernels|sessions|terminals)|terminals\/websocket)(?:\/|$)/;
const SOCKET_IO = /(?:^|&)EIO=[0-9](?:&|$)/;
const SIGNAL_R = /\/signalr\//i;
const AWS = /\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;
const DROPBOX = /(?:^|\.)dropbox(?:usercontent)?\.com$/;
const GOOGLE = /^(?:drive|docs)\.google\.com$/;
const FIREBASE = /^firebasestorage\.googleapis\.com$|\.firebasestorage\.app$/;

/**
 * Whether a parameter that sounds like a credential is none where it stands: the session of a protocol, in which nobody
 * logs in; the number by which AWS knows a repeated request; or part of a link that its owner made for everyone who has it,
 * and that opens that one thing for reading.
 *
 * SECURITY: only in a query, and never a key of a known form. `?token=` of raw.githubusercontent.com is not among these: it
 * is made from a person's log-in, and opens what is private [CR-9].
 */
export function isPublicHere(name: string, value: string, { where, host, path, query }: Place): boolean {
  if (where === 'form') return /^client_?token$/i.test(name) && AWS.test(host) && !holdsKnownKey(value);
  if (where !== 'query' || holdsKnownKey(value)) return false;
  if (SESSION_NAME.test(name)) {
    if (MCP_PATH.test(path) || MCP_HOST.test(host)) return MCP_SESSION.test(value);
    if (JUPYTER_PATH.test(path)) return true;
    return name === 'sid' ? SOCKET_IO.test(query) : SIGNAL_R.test(path);
  }
  switch (name.toLowerCase()) {
    case 'clienttoken':
      return AWS.test(host);
    case 'token':
      return FIREBASE.test(host) && /(?:^|&)alt=media(?:&|$)/.test(query);
    case 'rlkey':
      return DROPBOX.test(host);
    case 'resourcekey':
      return GOOGLE.test(host);
    // CouchDB: the key of a document, as JSON.
    case 'key':
      return /^".*"$|^\[.*\]$/s.test(value);
    // What a name says differs from service to service: all others are what they sound like.
    // open: any parameter
    default:
      return false;
  }
}
