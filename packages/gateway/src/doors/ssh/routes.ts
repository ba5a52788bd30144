import { createHash } from 'node:crypto';
import { SallyportError, SshHostSchema, SshKeySchema, SshKeyWireSchema } from '@sallyport/protocol';
import type { SshHostKey } from '../../authority/index.ts';
import { type App, sessionOf } from '../../servers/index.ts';
import type { SshAuth } from './ssh-auth.ts';

const KEY =
  /^(?<type>ssh-ed25519|ecdsa-sha2-nistp256) (?<blob>[A-Za-z0-9+/]{20,400}={0,2})(?: [^\r\n]{0,200})?\s*$/;

/** What an agent needs to use the door: its host key, and a key of its own that is known to be its session's. */
export function sshRoutes(
  app: App,
  {
    auth,
    hostKey,
  }: { readonly auth: Pick<SshAuth, 'register'>; readonly hostKey: Pick<SshHostKey, 'publicLine'> },
): void {
  app.get(
    '/v1/ssh',
    { schema: { summary: 'The host key of the SSH door', response: { 200: SshHostSchema } } },
    async () => ({ host_key: hostKey.publicLine }),
  );
  app.post(
    '/v1/ssh/keys',
    {
      schema: {
        summary: 'Makes a public key good for the SSH door, as long as the calling session lives',
        body: SshKeySchema,
        response: { 201: SshKeyWireSchema },
      },
    },
    async (request, reply) => {
      const blob = blobOf(request.body.public_key);
      await auth.register(blob, sessionOf(request));
      const fingerprint = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
      return reply.status(201).send({ fingerprint: `SHA256:${fingerprint}`, host_key: hostKey.publicLine });
    },
  );
}

/** Throws `Unprocessable` for anything but one line of a key of today. */
function blobOf(line: string): Buffer {
  const { type = '', blob = '' } = KEY.exec(line)?.groups ?? {};
  const bytes = Buffer.from(blob, 'base64');
  // SECURITY: what the line calls itself is what it is.
  const length = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
  if (type !== '' && bytes.subarray(4, 4 + length).toString('latin1') === type) return bytes;
  throw new SallyportError('Unprocessable', {
    message: 'that is no public key of the type Ed25519 or ECDSA P-256',
    hint: 'send the line of a file `id_ed25519.pub`, made with `ssh-keygen -t ed25519`',
  });
}
