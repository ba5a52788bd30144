import { createHash } from 'node:crypto';
import { AwsRefusal } from './answer.ts';

export interface StoredObject {
  readonly data: Buffer;
  readonly etag: string;
  readonly type: string;
  readonly parts: number;
}

/** Buckets in memory, with uploads in parts. */
export class ObjectStore {
  readonly #buckets = new Map<string, Map<string, StoredObject>>();
  readonly #uploads = new Map<string, { bucket: string; key: string; parts: Map<number, Buffer> }>();

  createBucket(name: string): void {
    if (!this.#buckets.has(name)) this.#buckets.set(name, new Map());
  }

  buckets(): readonly string[] {
    return [...this.#buckets.keys()];
  }

  list(bucket: string): ReadonlyMap<string, StoredObject> {
    const found = this.#buckets.get(bucket);
    if (found === undefined) throw new AwsRefusal(404, 'NoSuchBucket', 'The specified bucket does not exist');
    return found;
  }

  get(bucket: string, key: string): StoredObject {
    const found = this.list(bucket).get(key);
    if (found === undefined) throw new AwsRefusal(404, 'NoSuchKey', 'The specified key does not exist.');
    return found;
  }

  put(bucket: string, key: string, data: Buffer, type: string): StoredObject {
    this.list(bucket);
    const stored = { data, etag: `"${md5(data)}"`, type, parts: 1 };
    this.#buckets.get(bucket)?.set(key, stored);
    return stored;
  }

  delete(bucket: string, key: string): void {
    this.list(bucket);
    this.#buckets.get(bucket)?.delete(key);
  }

  begin(bucket: string, key: string): string {
    this.list(bucket);
    const id = `upload-${this.#uploads.size + 1}`;
    this.#uploads.set(id, { bucket, key, parts: new Map() });
    return id;
  }

  putPart(id: string, number: number, data: Buffer): string {
    this.#upload(id).parts.set(number, data);
    return `"${md5(data)}"`;
  }

  abort(id: string): void {
    this.#upload(id);
    this.#uploads.delete(id);
  }

  complete(id: string, numbers: readonly number[]): StoredObject {
    const { bucket, key, parts } = this.#upload(id);
    const data = numbers.map((number) => {
      const part = parts.get(number);
      if (part === undefined) throw new AwsRefusal(400, 'InvalidPart', 'A part could not be found');
      return part;
    });
    const whole = Buffer.concat(data);
    const stored = {
      data: whole,
      etag: `"${md5(whole)}-${data.length}"`,
      type: 'binary/octet-stream',
      parts: data.length,
    };
    this.#buckets.get(bucket)?.set(key, stored);
    this.#uploads.delete(id);
    return stored;
  }

  #upload(id: string): { bucket: string; key: string; parts: Map<number, Buffer> } {
    const upload = this.#uploads.get(id);
    if (upload === undefined) throw new AwsRefusal(404, 'NoSuchUpload', 'The upload does not exist');
    return upload;
  }
}

function md5(data: Buffer): string {
  return createHash('md5').update(data).digest('hex');
}
