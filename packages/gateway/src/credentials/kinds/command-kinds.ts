import { SallyportError } from '@sallyport/protocol';
import { Secret } from '../../shared/secret.ts';
import type { CredentialPut, PartName } from './command-put.ts';
import type { CredentialKind, KindPlaces, PreparedCredential } from './kind.ts';
import { oneLine, textMaterial, wrong } from './material.ts';

const NOWHERE: KindPlaces = { headers: [], namesOnly: true };
const KEY =
  /^-----BEGIN (?:OPENSSH|RSA|EC|DSA)? ?PRIVATE KEY-----\n[\s\S]+\n-----END [A-Z ]*PRIVATE KEY-----$/;

/** A private key that git uses over SSH. Its host keys are the config's: whoever answers with another one is not the host. */
export const sshKey: CredentialKind<'ssh_key'> = {
  name: 'ssh_key',
  hosts: [],
  places: NOWHERE,
  prepare(material, { hosts, known_hosts }, { learn }) {
    const text = textMaterial(material).replaceAll('\r\n', '\n').trim();
    if (!KEY.test(text)) throw wrong('is no private key in the format of OpenSSH or PEM');
    if (/^Proc-Type: 4,ENCRYPTED|^-----BEGIN ENCRYPTED/m.test(text))
      throw wrong('is a key with a passphrase');
    const key = new Secret(`${text}\n`);
    // What is scrubbed is its middle: line ends are lost on the way to a screen.
    const lines = text
      .split('\n')
      .slice(1, -1)
      .filter((line) => line.length >= 32);
    const pieces = lines.map((line) => new Secret(line));
    for (const secret of [key, ...pieces]) learn(secret);
    const known = known_hosts.flatMap((line) => hosts.map((host) => `${host} ${line}\n`)).join('');
    return forCommands([key, ...pieces], { private_key: key, text: new Secret(known) });
  },
};

/** A variable of one command. */
export const env: CredentialKind<'env'> = {
  name: 'env',
  hosts: [],
  places: NOWHERE,
  prepare(material, { variable }) {
    const value = new Secret(oneLine(material));
    return forCommands([value], { text: value }, { env: { [variable]: '{text}' } });
  },
};

/** A file of one command, for example a kubeconfig. */
export const file: CredentialKind<'file'> = {
  name: 'file',
  hosts: [],
  places: NOWHERE,
  prepare(material, { variable }) {
    const value = new Secret(textMaterial(material));
    const put = {
      name: 'credential',
      text: '{text}',
      quoting: 'none',
      variable: { name: variable, says: 'file' },
    } as const;
    return forCommands([value, ...secretsOf(value)], { text: value }, { files: [put] });
  },
};

/** Tokens and keys inside of a file: a program prints one of them sooner than all of it. */
function secretsOf(text: Secret): readonly Secret[] {
  const found = text.reveal().match(/[A-Za-z0-9_\-+/=.]{20,16384}/g) ?? [];
  return [...new Set(found)].slice(0, 64).map((value) => new Secret(value));
}

function forCommands(
  values: readonly Secret[],
  parts: Readonly<Partial<Record<PartName, Secret>>>,
  ownPut?: CredentialPut,
): PreparedCredential {
  return {
    values,
    parts,
    ...(ownPut === undefined ? {} : { ownPut }),
    apply() {
      // SECURITY: no request carries it, whatever a route says.
      throw new SallyportError('CredentialNotAllowed', {
        message: 'this credential is lent to commands of the SSH door alone',
      });
    },
  };
}
