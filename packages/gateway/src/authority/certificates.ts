import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const HOUR_MS = 3_600_000;
/** Agents whose clocks run late, up to this, accept a fresh certificate. */
const SKEW_MS = HOUR_MS;
/**
 * Two years: whoever installed the authority has to do it again, which nobody wants often; and nobody can be
 * sure that a key which lives on a developer's disk stays secret much longer.
 */
const ROOT_LIFE_MS = 2 * 365 * 24 * HOUR_MS;
/** A leaf that leaks is of no use the day after. */
const LEAF_LIFE_MS = 24 * HOUR_MS;

/** A new authority. `key` is the only copy of its secret: PKCS #8, PEM. */
export interface NewRoot {
  readonly key: string;
  readonly certificate: string;
}

/** Makes an authority that signs leaves and nothing else. Its name is its own, so that two never look alike. */
export async function makeRoot(now: number): Promise<NewRoot> {
  const x509 = await loadX509();
  const keys = await newKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: newSerial(),
      name: `CN=Sallyport local CA ${randomBytes(4).toString('hex')}`,
      notBefore: new Date(now - SKEW_MS),
      notAfter: new Date(now + ROOT_LIFE_MS),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    },
    webcrypto,
  );
  return { key: await privatePem(keys.privateKey), certificate: pemLine(root.toString('pem')) };
}

/** What signs leaves: the authority, opened. */
export interface Signer {
  /** A certificate for this host and no other, PEM. */
  issue(host: string, now: number): Promise<Leaf>;
}

export interface Leaf {
  readonly certificate: string;
  /** ms since epoch */
  readonly notAfter: number;
}

/**
 * Opens a signer. All its leaves share one key, which never leaves this process: who could read it could read
 * the authority's own key beside it, so a key for each host would only cost time.
 */
export async function openSigner(root: NewRoot, leafKeys: LeafKeys): Promise<Signer> {
  const x509 = await loadX509();
  const certificate = new x509.X509Certificate(root.certificate);
  // Not extractable: from here on the key can sign, and nothing else.
  const signingKey = await webcrypto.subtle.importKey('pkcs8', derOf(root.key), ALGORITHM, false, ['sign']);
  return {
    async issue(host, now) {
      const notAfter = new Date(Math.min(now + LEAF_LIFE_MS, certificate.notAfter.getTime()));
      const leaf = await x509.X509CertificateGenerator.create(
        {
          serialNumber: newSerial(),
          subject: 'CN=Sallyport',
          issuer: certificate.subject,
          notBefore: new Date(now - SKEW_MS),
          notAfter,
          publicKey: leafKeys.publicKey,
          signingKey,
          signingAlgorithm: ALGORITHM,
          extensions: [
            new x509.BasicConstraintsExtension(false, undefined, true),
            new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
            new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
            new x509.SubjectAlternativeNameExtension([
              { type: isIP(host) === 0 ? 'dns' : 'ip', value: host },
            ]),
            await x509.SubjectKeyIdentifierExtension.create(leafKeys.publicKey),
            await x509.AuthorityKeyIdentifierExtension.create(certificate.publicKey),
          ],
        },
        webcrypto,
      );
      return { certificate: pemLine(leaf.toString('pem')), notAfter: notAfter.getTime() };
    },
  };
}

export interface LeafKeys {
  readonly publicKey: webcrypto.CryptoKey;
  /** PEM, for the TLS server */
  readonly privatePem: string;
}

export async function makeLeafKeys(): Promise<LeafKeys> {
  const { publicKey, privateKey } = await newKeys();
  return { publicKey, privatePem: await privatePem(privateKey) };
}

/** Loaded when the first certificate is made: a gateway that starts does not wait for it. */
async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** Positive, and without a leading zero byte: some readers refuse the others. */
function newSerial(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return bytes.toString('hex');
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

function derOf(pem: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64'));
}

function pemLine(pem: string): string {
  return pem.endsWith('\n') ? pem : `${pem}\n`;
}
