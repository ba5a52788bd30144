/** The pieces of a credential that the environment of a command can be made of. */
export const PARTS = [
  'token',
  'user',
  'password',
  'access_key_id',
  'secret_access_key',
  'session_token',
  'region',
  'api_key',
  'app_key',
  'private_key',
  'text',
] as const;
export type PartName = (typeof PARTS)[number];

/** A text with pieces in braces: `header = "Authorization: Bearer {token}"`. */
export type PutText = string;

/** A file that one command finds, and nobody else: 0600, in a folder of its own, overwritten and removed behind it. */
export interface PutFile {
  /** a plain name */
  readonly name: string;
  readonly text: PutText;
  /** how a piece is written inside: as it is, or inside of double quotes of a config file of curl */
  readonly quoting: 'none' | 'curl';
  /** the variable that says where it is, or where the folder is that it is in */
  readonly variable?: { readonly name: string; readonly says: 'file' | 'folder' };
}

/**
 * How a credential reaches one process: variables of its environment, or files. Never its argv, which every process of
 * the machine can read. A variable with a piece that the credential does not have (`session_token` of lasting keys) is left out.
 */
export interface CredentialPut {
  readonly env?: Readonly<Record<string, PutText>>;
  readonly files?: readonly PutFile[];
}
