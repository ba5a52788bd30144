import { z } from 'zod';

/** `GET /v1/ssh` */
export const SshHostSchema = z.strictObject({
  host_key: z.string().describe('the line of `known_hosts` behind the name: `ssh-ed25519 AAAA…`'),
});

/** `POST /v1/ssh/keys` */
export const SshKeySchema = z.strictObject({
  public_key: z.string().min(20).max(1_000).describe('one line as in `id_ed25519.pub`'),
});

export const SshKeyWireSchema = z.strictObject({
  fingerprint: z.string().describe('as `ssh-keygen -l` shows it'),
  host_key: z.string().describe('the line of `known_hosts` behind the name'),
});
export type SshKeyWire = z.infer<typeof SshKeyWireSchema>;
