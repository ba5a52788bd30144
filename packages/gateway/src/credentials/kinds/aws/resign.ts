import type { Clock } from '../../../shared/clock.ts';
import type { OutgoingRequest } from '../../../shared/http-message.ts';
import { Secret } from '../../../shared/secret.ts';
import { type BodyRewriter, notSignable } from '../kind.ts';
import { type AgentSigning, isAuthParameter, readAgentSigning } from './agent-signing.ts';
import type { AwsKeys } from './aws-keys.ts';
import { ChunkRewriter } from './chunked/chunk-rewriter.ts';
import { type ChunkSigner, ecdsaChunkSigner, hmacChunkSigner } from './chunked/chunk-signer.ts';
import { isS3 } from './endpoint.ts';
import { CONTENT_HASH, type PayloadPlan, planPayload } from './payload.ts';
import { canonicalS3Path, encodeStrictly, splitTarget, toQueryBag } from './query.ts';
import { headersToSign, replaceHeaders } from './request-headers.ts';
import { NodeSha256, type SignableRequest, type SignedRequest, type Signers } from './signers.ts';
import { resolveScope, type SigningScope } from './signing-scope.ts';
import { createEcdsaSigner } from './sigv4a.ts';

/** A URL that is presigned here is used at once: a long life would only serve whoever finds it. */
const LONGEST_PRESIGNED_S = 300;

export interface ResignContext {
  readonly signers: Signers;
  readonly keys: AwsKeys;
  readonly clock: Clock;
  /** region of endpoints that name none */
  readonly region: string | undefined;
}

/**
 * Signs a request anew with `keys`, the way that the agent signed it: in the head or in the URL, SigV4 or SigV4a,
 * body hashed, unsigned, or chunk by chunk. Nothing of the agent's own signature stays.
 *
 * Rejects with `RequestNotSignable`, which is for the agent.
 */
export async function resign(
  request: OutgoingRequest,
  context: ResignContext,
  sent: (derived: Secret) => void,
): Promise<BodyRewriter | undefined> {
  const { path, query } = splitTarget(request.target);
  const agent = readAgentSigning(request.agentAuthorization, query);
  const scope = resolveScope(request, agent, context.region);
  const plan = planPayload(request, scope, agent);
  const kept = query.filter(({ name }) => !isAuthParameter(name));
  const names = kept.map(({ raw }) => raw);
  const signable: SignableRequest = {
    method: request.method,
    protocol: `${request.scheme}:`,
    hostname: request.host,
    path: isS3(scope.service) ? canonicalS3Path(path) : path,
    query: toQueryBag(kept),
    headers: {
      ...headersToSign(request, agent),
      ...(plan.kind === 'implied' ? {} : { [CONTENT_HASH]: plan.value }),
    },
    body: plan.kind === 'implied' ? request.body : undefined,
  };
  const signingDate = new Date(context.clock.now());
  if (agent?.place === 'query' && agent.algorithm === 'AWS4-HMAC-SHA256') {
    const signed = await presign(signable, signingDate, scope, agent, context);
    const signedQuery = signed.query ?? {};
    const fresh = Object.entries(signedQuery).filter(([name]) => isAuthParameter(name));
    const auth = fresh.map(([name, value]) => `${name}=${encodeStrictly(String(value))}`);
    request.target = `${path}?${[...names, ...auth].join('&')}`;
    replaceHeaders(request, []);
    sent(new Secret(String(signedQuery['X-Amz-Signature'])));
    return undefined;
  }
  const { signed, chunks } = await signHead(signable, signingDate, scope, context);
  const authorization = signed.headers.authorization ?? '';
  const signature = authorization.slice(authorization.lastIndexOf('=') + 1);
  sent(new Secret(signature));
  request.target = names.length === 0 ? path : `${path}?${names.join('&')}`;
  replaceHeaders(request, freshHeaders(signed, plan));
  if (plan.kind !== 'chunked') return undefined;
  return rewriteBody(request, plan, await chunks(signature, signed.headers['x-amz-date'] ?? ''));
}

function freshHeaders(signed: SignedRequest, plan: PayloadPlan): [string, string][] {
  const names = ['authorization', 'x-amz-date', 'x-amz-security-token', 'x-amz-region-set'];
  if (plan.kind !== 'implied') names.push(CONTENT_HASH);
  return names.flatMap((name): [string, string][] => {
    const value = signed.headers[name];
    return value === undefined ? [] : [[name, value]];
  });
}

function presign(
  signable: SignableRequest,
  signingDate: Date,
  scope: SigningScope,
  agent: AgentSigning,
  { signers, keys }: ResignContext,
): Promise<SignedRequest> {
  const signer = new signers.SignatureV4({ ...signerOptions(scope), credentials: keys });
  return signer.presign(signable, {
    signingDate,
    expiresIn: Math.min(agent.expires ?? LONGEST_PRESIGNED_S, LONGEST_PRESIGNED_S),
    unhoistableHeaders: new Set(Object.keys(signable.headers)),
    // A presigned URL rarely says how the body is signed; S3 then takes it as unsigned.
    unsignableHeaders: new Set(agent.signedHeaders.includes(CONTENT_HASH) ? [] : [CONTENT_HASH]),
  });
}

interface SignedHead {
  readonly signed: SignedRequest;
  chunks(seed: string, longDate: string): Promise<ChunkSigner>;
}

async function signHead(
  signable: SignableRequest,
  signingDate: Date,
  scope: SigningScope,
  { signers, keys }: ResignContext,
): Promise<SignedHead> {
  const { algorithm, region, service } = scope;
  const options = { ...signerOptions(scope), credentials: keys };
  if (algorithm === 'AWS4-ECDSA-P256-SHA256') {
    const signer = createEcdsaSigner(signers, options);
    const signed = await signer.sign(signable, { signingDate });
    return {
      signed,
      chunks: async (seed, longDate) =>
        ecdsaChunkSigner(signer.key(), {
          algorithm,
          longDate,
          scope: `${longDate.slice(0, 8)}/${service}/aws4_request`,
          seed,
        }),
    };
  }
  const signed = await new signers.SignatureV4(options).sign(signable, { signingDate });
  return {
    signed,
    chunks: async (seed, longDate) => {
      const day = longDate.slice(0, 8);
      const key = await signers.getSigningKey(NodeSha256, keys, day, region, service);
      return hmacChunkSigner(key, {
        algorithm,
        longDate,
        scope: `${day}/${region}/${service}/aws4_request`,
        seed,
      });
    },
  };
}

function signerOptions({ region, service }: SigningScope) {
  return { region, service, sha256: NodeSha256, uriEscapePath: !isS3(service), applyChecksum: false };
}

function rewriteBody(
  request: OutgoingRequest,
  plan: Extract<PayloadPlan, { kind: 'chunked' }>,
  signer: ChunkSigner,
): BodyRewriter | undefined {
  const rewriter = new ChunkRewriter({
    signer,
    decodedBytes: plan.decodedBytes,
    encodedBytes: request.body?.length ?? request.streamedBytes,
    trailers: plan.trailers,
  });
  if (request.body === undefined) {
    if (!request.isStreamed)
      throw notSignable('the head announces a body in `aws-chunked`, and there is none');
    return rewriter;
  }
  request.body = Buffer.concat([...rewriter.push(request.body), ...rewriter.end()]);
  return undefined;
}
