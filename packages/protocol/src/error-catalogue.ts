interface ErrorEntry {
  /** HTTP status a peer sees when this error ends a request */
  readonly status: number;
  /** lower case, no final period, no user input */
  readonly message: string;
  /** what to do about it, when that does not depend on the case */
  readonly hint?: string;
}

const CATALOGUE = {
  // Asking for the wrong thing
  BadRequest: { status: 400, message: 'the request is not valid' },
  NotFound: { status: 404, message: 'there is nothing here' },
  MethodNotAllowed: { status: 405, message: 'this address does not take that method' },
  RequestTimeout: { status: 408, message: 'the request did not arrive in time' },
  Conflict: { status: 409, message: 'the state of this thing does not allow that' },
  PayloadTooLarge: { status: 413, message: 'the request body is too large' },
  UnsupportedMediaType: { status: 415, message: 'the request body has a type this address does not take' },
  HostNotAllowed: {
    status: 421,
    message: 'the Host or Origin header does not name this gateway',
    hint: 'use 127.0.0.1 or localhost, or list the name under `api.allowed_hosts`',
  },
  HostMismatch: {
    status: 421,
    message: 'CONNECT, TLS and the Host of the request name different hosts',
    hint: 'open a connection of its own for each host',
  },
  Unprocessable: { status: 422, message: 'the request is well formed but cannot be carried out' },
  TooManyRequests: { status: 429, message: 'too many attempts', hint: 'wait a moment, then try again' },
  TooManySessions: {
    status: 429,
    message: 'this tenant has its most live sessions already',
    hint: 'end one with `DELETE /session` or `sallyport sessions end`',
  },
  HeadersTooLarge: { status: 431, message: 'the headers of the request are too large' },
  Internal: {
    status: 500,
    message: 'something went wrong inside the gateway',
    hint: 'the operator finds the cause in the gateway log',
  },
  Unavailable: { status: 503, message: 'the gateway cannot take this now' },
  AuditUnavailable: {
    status: 503,
    message: 'the trail cannot be written, so nothing that must be recorded may happen',
    hint: 'free disk space or mend the store, then try again',
  },

  // Who are you (layer 1)
  NotAuthenticated: { status: 401, message: 'no valid credential came with this request' },
  NotPermitted: { status: 403, message: 'the rights of this session do not reach that' },
  NotForAgents: {
    status: 403,
    message: 'this comes from a process of an agent, and only people decide',
    hint: 'do this in a terminal that no agent started',
  },

  // The gate's refusals (layers 2 to 8)
  ToolNotFound: { status: 403, message: 'no router knows this tool' },
  ToolQuarantined: {
    status: 403,
    message: 'the definition of this tool has changed, and nobody has accepted the change',
    hint: 'use another tool; the operator sees the change with `sallyport servers diff`',
  },
  ToolServerUnavailable: {
    status: 503,
    message: 'the server of this tool is not running',
    hint: 'this is not a refusal: try again in a moment',
  },
  ToolNotAllowed: { status: 403, message: 'this tool is not among the tools of this agent' },
  ToolExplicitlyDenied: { status: 403, message: 'this tool is on the deny list' },
  AccessLevelExceeded: { status: 403, message: 'the access level of this agent does not reach that' },
  RateLimitExceeded: { status: 429, message: 'too many calls' },
  PathOutsideBoundary: { status: 403, message: 'the path lies outside the allowed folders' },
  PathTraversalAttempt: { status: 403, message: 'the path contains `.` or `..` components' },
  DomainNotAllowed: { status: 403, message: 'the host is not among the allowed ones' },
  OwnCredential: {
    status: 403,
    message: "the request carries a credential of the agent's own",
    hint: 'leave the secret out; the operator lends one with `sallyport credentials add` and a route for the host, or names the host under `network.pass_auth`',
  },
  CommandNotAllowed: { status: 403, message: 'this command is not among the allowed ones' },
  SubcommandNotAllowed: { status: 403, message: 'this subcommand is not among the allowed ones' },
  RuleDenied: { status: 403, message: 'a rule denies this' },
  AutonomyLocked: { status: 403, message: 'the autonomy of this agent excludes that' },
  OutputSizeLimitExceeded: { status: 403, message: 'the output is larger than allowed' },
  EvaluationFailed: { status: 403, message: 'the decision could not be made, so the answer is no' },
  SemanticJudgeRefused: {
    status: 403,
    message: 'the semantic judge of this tool refuses the call',
    hint: 'do what the reason says instead; the same call will be refused again',
  },
  SemanticJudgeUnavailable: {
    status: 403,
    message: 'the semantic judge of this tool gave no answer, so the answer is no',
    hint: 'try again later; if it stays so, the operator finds the cause in the trail',
  },
  NotAdmitted: { status: 500, message: 'the gate did not admit this, so it does not run' },
  ApprovalUnavailable: {
    status: 403,
    message: 'this needs the consent of a person, and nobody can be asked',
    hint: 'ask the operator for a grant, or do something that needs no consent',
  },
  ApprovalPending: {
    status: 403,
    message: 'a person has been asked',
    hint: 'send the same again once the approval is granted; `request_access` asks once for all that a task needs',
  },
  ApprovalDenied: {
    status: 403,
    message: 'a person said no',
    hint: 'do not try the same again; ask the person what they want instead',
  },
  ApprovalTimeout: {
    status: 403,
    message: 'nobody answered in time',
    hint: 'this is not a refusal by a person: ask again when somebody can answer; `request_access` asks once for a whole task',
  },
  ApprovalCancelled: {
    status: 403,
    message: 'the question was withdrawn before anyone answered',
    hint: 'send it again if it is still wanted',
  },
  ApprovalExpired: { status: 410, message: 'the approval has expired' },

  // Files of volumes
  UnauthorizedVolumeAccess: {
    status: 403,
    message: 'this file handle was not given to this execution',
    hint: 'open the file again',
  },
  VolumeReadOnly: {
    status: 403,
    message: 'the volume is read-only',
    hint: 'write to another volume; only the operator can change its `mode`',
  },
  QuotaExceeded: {
    status: 507,
    message: 'the volume has no room for this',
    hint: 'delete what is no longer needed; only the operator can raise `quota_bytes`',
  },

  // Lending credentials
  CredentialUnavailable: {
    status: 502,
    message: 'the credential for this cannot be had now',
    hint: 'this is not a refusal: tell the operator, who sees why with `sallyport credentials check`',
  },
  CredentialNotAllowed: {
    status: 403,
    message: 'this credential is not for that',
    hint: 'use a credential that this session may use, on a host that it is bound to',
  },
  RequestNotSignable: {
    status: 400,
    message: 'the request cannot be signed with the credential',
    hint: 'send it as an SDK or CLI of the provider does',
  },

  // The way out
  AddressClosed: {
    status: 403,
    message: 'the host leads to an address that is closed',
    hint: 'only the operator can open it, with `network.allow_private`',
  },
  NameNotFound: {
    status: 502,
    message: 'the name of the host cannot be looked up',
    hint: 'check the spelling of the host',
  },
  UpstreamUnreachable: {
    status: 502,
    message: 'no connection to the host could be made',
    hint: 'check host and port; the host may be down',
  },
  UpstreamTlsFailed: {
    status: 502,
    message: 'the host could not prove who it is',
    hint: 'the operator can trust a private authority with `network.ca_files`',
  },
  UpstreamBroken: { status: 502, message: 'the host broke off or sent what is not valid HTTP' },
  UpstreamTimeout: { status: 504, message: 'the host did not answer in time', hint: 'try again later' },

  // Envelopes, and commands in an agent's sandbox
  EnvelopeMalformed: { status: 400, message: 'this is not an envelope that can be read in one way only' },
  ProtocolNotSupported: {
    status: 400,
    message: 'the protocol of the envelope is not one that this gateway speaks',
    hint: 'send `seal/v1`',
  },
  AttestationRefused: {
    status: 403,
    message: 'the attestation is not valid',
    hint: 'a secret is good once and for a short time: ask the launcher for a new workload',
  },
  SignatureVerificationFailed: {
    status: 403,
    message: 'the signature of the envelope is not that of its worker',
    hint: 'sign the RFC 8785 JSON of `{payload, security_token, timestamp}` with the attested key',
  },
  SecurityTokenRefused: {
    status: 403,
    message: 'the security token of the envelope is not valid',
    hint: 'attest again',
  },
  EnvelopeExpired: {
    status: 403,
    message: 'the envelope does not come from this moment',
    hint: 'sign each message when it is sent, and keep the clock right',
  },
  EnvelopeReplayed: {
    status: 403,
    message: 'this envelope was accepted before',
    hint: 'use a new nonce for each message',
  },
  DispatchNotOutstanding: {
    status: 403,
    message: 'no command with this id waits for a result',
    hint: 'a result counts once, from the execution that got the command, within its time',
  },
  CommandTimeout: {
    status: 504,
    message: 'the command did not end in time',
    hint: 'ask for less at once, or for a longer `timeout_secs`',
  },
  CommandNotStarted: {
    status: 502,
    message: 'the command could not be started',
    hint: 'check the name of the program and the working folder',
  },
  WorkerLost: {
    status: 502,
    message: 'the worker that ran the command is gone',
    hint: 'whether the command ran to its end is not known; look before you run it again',
  },

  // Starting and configuring
  SettingsUnusable: { status: 500, message: "a client's settings cannot be changed safely" },
  ConfigInvalid: { status: 500, message: 'the configuration is not valid' },
  SecretUnreadable: { status: 500, message: 'a secret cannot be read' },
  SecretExposed: { status: 500, message: 'a file that holds a secret can be read by others' },
  HomeUnusable: { status: 500, message: 'the home folder cannot be used' },
  HomeInUse: { status: 500, message: 'another gateway uses this home' },
  PortInUse: { status: 500, message: 'a port is taken' },
  StoreUnusable: { status: 500, message: 'the store cannot be used' },
  StoreTooNew: { status: 500, message: 'the store was written by a newer Sallyport' },
  AuthorityUnusable: {
    status: 500,
    message: 'the local certificate authority cannot be used',
    hint: 'make a new one with `sallyport ca rotate`',
  },
  TrailBroken: { status: 500, message: 'the trail has been changed' },
  GatewayNotRunning: {
    status: 503,
    message: 'no gateway is running for this home',
    hint: 'start one with `npm start` or `sallyport start`',
  },
  ToolMissing: { status: 500, message: 'a program that this needs is not installed' },

  // Sandboxes and the jail
  SandboxUnavailable: { status: 503, message: 'this sandbox cannot be used on this machine' },
  SandboxRefused: { status: 400, message: 'this cannot be put in a sandbox' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof CATALOGUE;

/**
 * Every code that leaves a Sallyport process: in API answers, refusals and CLI messages.
 *
 * Codes are public API: add freely, never rename, never reuse. docs/errors.md has one heading for each.
 */
export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = CATALOGUE;
