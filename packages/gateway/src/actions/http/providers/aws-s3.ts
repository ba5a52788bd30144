import { type Finding, read, secret, unlisted } from '../finding.ts';
import { foundAs, type Operation, once, readRows } from '../operation-table.ts';
import { S3_OPERATIONS } from '../operations/aws-rest.ts';
import type { RequestView } from '../request-view.ts';

export const s3Operations = once(() =>
  readRows(S3_OPERATIONS).map((row) => ({ ...row, name: `s3:${row.name}` })),
);

const operations = once(
  (): ReadonlyMap<string, Operation> =>
    new Map(s3Operations().map((row) => [`${row.method} ${row.path}`, row])),
);
/** Words of the query that choose the operation. */
const subresources = once(() => new Set(s3Operations().flatMap(({ path }) => path.split('?')[1] ?? [])));
const S3_LABEL = /^s3(?:-[a-z0-9-]+)?$/;

/** S3: by method, by whether a bucket or an object is meant, and by the one word of the query that says more. */
export function classifyS3(view: RequestView): Finding {
  // S3 Express sessions and access grants are credentials.
  if (view.hasQuery('session') || /\/accessgrantsinstance\/dataaccess\/?$/.test(view.path))
    return secret('s3:CreateSession');
  const { method } = view;
  if (/(?:^|\.)s3-control\./.test(view.host))
    return view.isSafe ? read(`s3-control:${method}`) : unlisted(view);
  const { level, bucket } = placeOf(view);
  const object = bucket === undefined ? 's3' : `s3://${bucket}`;
  if (method === 'OPTIONS') return read('s3:Options', 'custom:http', { object });
  const words = [...new Set(view.queryNames())].filter((name) => subresources().has(name));
  // With two such words, nobody but S3 knows which one counts.
  if (words.length > 1) return unlisted(view, 'custom:http', { object });
  if (method === 'HEAD' && words.length === 0 && level !== '/')
    return read(level === '/object' ? 's3:HeadObject' : 's3:HeadBucket', 'custom:http', { object });
  const path = words.length === 0 ? level : `${level}?${words.join()}`;
  const found = operations().get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
  if (found === undefined) return unlisted(view, 'custom:http', { object });
  return found.effect === 'read' ? foundAs(found, object) : withHeaders(foundAs(found, object), view);
}

const OWNERS_ALONE = new Set(['private', 'bucket-owner-full-control']);

/**
 * Who may read what is put, and that it is a copy, is said by headers, which a signed address may have in its query.
 *
 * SECURITY: permissions are no part of putting an object, and where a copy comes from is part of what is done [GA-11].
 */
function withHeaders(finding: Finding, view: RequestView): Finding {
  const fields = [...view.head.headers, ...new URLSearchParams(view.target.query)];
  let { object } = finding;
  let isShared = false;
  for (const [given, value] of fields) {
    const name = given.toLowerCase();
    if (name.startsWith('x-amz-grant-')) isShared = true;
    if (name === 'x-amz-acl' && !OWNERS_ALONE.has(value.trim().toLowerCase())) isShared = true;
    if (name === 'x-amz-copy-source') object = `${object} from ${value}`;
  }
  const copied = object === undefined ? finding : { ...finding, object };
  return isShared
    ? { ...copied, risk: 'critical', operation: `${finding.operation} with permissions` }
    : copied;
}

interface Place {
  readonly level: '/' | '/bucket' | '/object';
  readonly bucket?: string;
}

/** Whether the host or the path names the bucket, and whether an object in it is meant. */
function placeOf({ host, segments }: RequestView): Place {
  const labels = host.split('.');
  const at = labels.findLastIndex((label) => S3_LABEL.test(label));
  const bucket = at > 0 ? labels.slice(0, at).join('.') : undefined;
  const [first = '', second = ''] = segments;
  if (bucket !== undefined) return { level: first === '' ? '/bucket' : '/object', bucket };
  if (first === '') return { level: '/' };
  return { level: second === '' ? '/bucket' : '/object', bucket: first };
}
