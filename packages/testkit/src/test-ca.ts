import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
// x509 is built on decorators: without this its import throws
import 'reflect-metadata';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

export interface Certificate {
  /** PEM */
  readonly cert: string;
  /** PEM, PKCS #8 */
  readonly key: string;
}

/** A certificate authority that nobody but the test trusts. */
export interface TestCa {
  /** PEM: what a client must trust */
  readonly cert: string;
  /** A server certificate for these DNS names and addresses, valid from yesterday for a month. */
  issue(names: readonly string[], options?: { readonly expired?: boolean }): Promise<Certificate>;
}

export async function createTestCa(commonName = 'Sallyport test CA'): Promise<TestCa> {
  const x509 = await import('@peculiar/x509');
  const keys = await newKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: randomBytes(8).toString('hex'),
      name: `CN=${commonName}`,
      notBefore: new Date(Date.now() - DAY_MS),
      notAfter: new Date(Date.now() + 30 * DAY_MS),
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

  const issue: TestCa['issue'] = async (names, options) => {
    const leafKeys = await newKeys();
    const leaf = await x509.X509CertificateGenerator.create(
      {
        serialNumber: randomBytes(8).toString('hex'),
        subject: `CN=${names[0] ?? 'nameless'}`,
        issuer: root.subject,
        notBefore: new Date(Date.now() - (options?.expired ? 10 * DAY_MS : DAY_MS)),
        notAfter: new Date(Date.now() + (options?.expired ? -DAY_MS : 30 * DAY_MS)),
        publicKey: leafKeys.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
          ),
          await x509.AuthorityKeyIdentifierExtension.create(root),
        ],
      },
      webcrypto,
    );
    return { cert: leaf.toString('pem'), key: await privatePem(leafKeys.privateKey) };
  };
  return { cert: root.toString('pem'), issue };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
}
