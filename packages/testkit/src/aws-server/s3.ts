import { type Answer, AwsRefusal, document, elements, xmlAnswer } from './answer.ts';
import { headerText, type IncomingRequest } from './incoming.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

const MODIFIED = '2026-01-01T00:00:00.000Z';
const MODIFIED_HTTP = new Date(MODIFIED).toUTCString();
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** What a client of S3 needs for lists, up- and downloads, also in parts. `body` is decoded. */
export function answerS3(request: IncomingRequest, body: Buffer, store: ObjectStore): Answer {
  const { bucket, key } = placeOf(request);
  if (bucket === '') return listBuckets(store);
  if (key === '') return answerBucket(request, bucket, store);
  return answerObject(request, body, store, bucket, key);
}

/** Bucket from the host (`bucket.s3…`) or from the first segment of the path. */
function placeOf(request: IncomingRequest): { readonly bucket: string; readonly key: string } {
  const path = decodeURIComponent(request.rawPath).slice(1);
  const [, virtual] = /^(.+?)\.s3[.-]/.exec(headerText(request, 'host') ?? '') ?? [];
  if (virtual !== undefined) return { bucket: virtual, key: path };
  const slash = path.indexOf('/');
  return slash < 0 ? { bucket: path, key: '' } : { bucket: path.slice(0, slash), key: path.slice(slash + 1) };
}

function listBuckets(store: ObjectStore): Answer {
  const buckets = store
    .buckets()
    .map((Name) => `<Bucket>${elements({ Name, CreationDate: MODIFIED })}</Bucket>`);
  const owner = `<Owner>${elements({ ID: 'owner', DisplayName: 'owner' })}</Owner>`;
  return xmlAnswer(
    document(
      `<ListAllMyBucketsResult xmlns="${NAMESPACE}">${owner}<Buckets>${buckets.join('')}</Buckets></ListAllMyBucketsResult>`,
    ),
  );
}

function answerBucket({ method, query }: IncomingRequest, bucket: string, store: ObjectStore): Answer {
  if (method === 'PUT') {
    store.createBucket(bucket);
    return { status: 200 };
  }
  const objects = store.list(bucket);
  if (method === 'HEAD') return { status: 200, headers: { 'x-amz-bucket-region': 'eu-west-1' } };
  if (method !== 'GET') throw notImplemented();
  if (query.has('location')) {
    return xmlAnswer(document(`<LocationConstraint xmlns="${NAMESPACE}">eu-west-1</LocationConstraint>`));
  }
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const encoding = query.get('encoding-type');
  const shown = (text: string): string =>
    encoding === 'url' ? encodeURIComponent(text).replaceAll('%2F', '/') : text;
  const folders = new Set<string>();
  const entries: string[] = [];
  for (const [key, object] of [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    if (end >= 0) folders.add(key.slice(0, end + delimiter.length));
    else entries.push(`<Contents>${elements(contentsOf(shown(key), object))}</Contents>`);
  }
  const common = [...folders].map(
    (folder) => `<CommonPrefixes>${elements({ Prefix: shown(folder) })}</CommonPrefixes>`,
  );
  const head = elements({
    Name: bucket,
    Prefix: shown(prefix),
    KeyCount: entries.length + folders.size,
    MaxKeys: 1000,
    IsTruncated: 'false',
    ...(encoding === undefined ? {} : { EncodingType: encoding }),
  });
  return xmlAnswer(
    document(
      `<ListBucketResult xmlns="${NAMESPACE}">${head}${entries.join('')}${common.join('')}</ListBucketResult>`,
    ),
  );
}

function contentsOf(key: string, object: StoredObject): Record<string, string | number> {
  return {
    Key: key,
    LastModified: MODIFIED,
    ETag: object.etag,
    Size: object.data.length,
    StorageClass: 'STANDARD',
  };
}

function answerObject(
  request: IncomingRequest,
  body: Buffer,
  store: ObjectStore,
  bucket: string,
  key: string,
): Answer {
  const { method, query } = request;
  const upload = query.get('uploadId');
  if (method === 'POST' && query.has('uploads')) {
    const inside = elements({ Bucket: bucket, Key: key, UploadId: store.begin(bucket, key) });
    return xmlAnswer(document(`<InitiateMultipartUploadResult>${inside}</InitiateMultipartUploadResult>`));
  }
  if (method === 'POST' && upload !== undefined) {
    const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)];
    const stored = store.complete(
      upload,
      numbers.map(([, number]) => Number(number)),
    );
    const inside = elements({ Bucket: bucket, Key: key, ETag: stored.etag });
    return xmlAnswer(document(`<CompleteMultipartUploadResult>${inside}</CompleteMultipartUploadResult>`));
  }
  if (method === 'PUT') {
    const number = query.get('partNumber');
    if (upload !== undefined && number !== undefined) {
      return { status: 200, headers: { etag: store.putPart(upload, Number(number), body) } };
    }
    const type = headerText(request, 'content-type') ?? 'binary/octet-stream';
    return { status: 200, headers: { etag: store.put(bucket, key, body, type).etag } };
  }
  if (method === 'DELETE') {
    if (upload === undefined) store.delete(bucket, key);
    else store.abort(upload);
    return { status: 204 };
  }
  if (method === 'GET' || method === 'HEAD') return download(request, store.get(bucket, key));
  throw notImplemented();
}

function download(request: IncomingRequest, { data, etag, type }: StoredObject): Answer {
  const headers = { etag, 'last-modified': MODIFIED_HTTP, 'accept-ranges': 'bytes' };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headerText(request, 'range') ?? '') ?? [];
  if (from === undefined) return { status: 200, type, headers, body: data };
  const end = Math.min(to === '' || to === undefined ? data.length - 1 : Number(to), data.length - 1);
  return {
    status: 206,
    type,
    headers: { ...headers, 'content-range': `bytes ${from}-${end}/${data.length}` },
    body: data.subarray(Number(from), end + 1),
  };
}

function notImplemented(): AwsRefusal {
  return new AwsRefusal(501, 'NotImplemented', 'A functionality that is not implemented');
}
