import { createHmac, type KeyObject } from 'node:crypto';
import { CONNECT } from '@sallyport/protocol';
import { z } from 'zod';
import { hashToken, sameHash } from '../../../identity/index.ts';

/** A program as it described itself. Nothing of it is proved. */
export interface OAuthClient {
  readonly id: string;
  /** short and public: how questions and the trail name it */
  readonly label: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const ID = /^spd_([A-Za-z0-9_-]{1,2400})\.([0-9a-f]{64})$/;
const ContentSchema = z.tuple([z.string(), z.array(z.string())]);

/**
 * Registrations that nobody keeps: the id of a client is what it registered, with our mark (RFC 7591, A.5.2). So a
 * flood of them takes no memory, and none is lost in a restart.
 */
export class ClientIds {
  readonly #key: KeyObject;

  constructor(key: KeyObject) {
    this.#key = key;
  }

  issue(name: string, redirectUris: readonly string[]): OAuthClient {
    const content = Buffer.from(JSON.stringify([name, redirectUris])).toString('base64url');
    return describe(`spd_${content}.${this.#mark(content)}`, name, redirectUris);
  }

  /** The client of an id that we issued; undefined for every other text. */
  read(id: string): OAuthClient | undefined {
    const [, content, mark] = ID.exec(id) ?? [];
    if (content === undefined || mark === undefined) return undefined;
    // SECURITY: looked at before the content is: what we did not write is not read.
    if (!sameHash(mark, this.#mark(content))) return undefined;
    const [name, redirectUris] = ContentSchema.parse(
      JSON.parse(Buffer.from(content, 'base64url').toString()),
    );
    return describe(id, name, redirectUris);
  }

  #mark(content: string): string {
    return createHmac('sha256', this.#key).update(content).digest('hex');
  }
}

function describe(id: string, name: string, redirectUris: readonly string[]): OAuthClient {
  return { id, label: `${CONNECT.clientPrefix}${hashToken(id).slice(0, 12)}`, name, redirectUris };
}
