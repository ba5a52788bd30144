import { type FileHandle, open } from 'node:fs/promises';
import type { Secret } from '../../shared/secret.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import { httpPost } from '../sinks/webhook-sink.ts';

/**
 * A place off the machine that remembers checkpoints, so that a database put back to an older copy shows.
 *
 * `send` resolves when the place has taken the checkpoint for good. Taking the same one twice is harmless.
 */
export interface Anchor {
  readonly id: string;
  send(checkpoint: Checkpoint, signal: AbortSignal): Promise<void>;
}

/** Posts each checkpoint as JSON. */
export class WebhookAnchor implements Anchor {
  readonly id = 'anchor.webhook';
  readonly #url: string;
  readonly #bearer: Secret | undefined;

  constructor(url: string, bearer?: Secret) {
    this.#url = url;
    this.#bearer = bearer;
  }

  async send(checkpoint: Checkpoint, signal: AbortSignal): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      ...(this.#bearer === undefined ? {} : { authorization: `Bearer ${this.#bearer.reveal()}` }),
    };
    await httpPost(this.#url, headers, JSON.stringify(checkpoint), signal);
  }
}

/** Appends each checkpoint as a line to a file, which should lie on another machine or on append-only storage. */
export class FileAnchor implements Anchor {
  readonly id = 'anchor.file';
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async send(checkpoint: Checkpoint): Promise<void> {
    let file: FileHandle | undefined;
    try {
      file = await open(this.#path, 'a', 0o600);
      await file.appendFile(`${JSON.stringify(checkpoint)}\n`);
      await file.sync();
    } finally {
      await file?.close();
    }
  }
}
