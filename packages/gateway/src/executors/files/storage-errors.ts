import { type ErrorCode, SallyportError, type SallyportErrorOptions } from '@sallyport/protocol';

type Told = readonly [ErrorCode, Pick<SallyportErrorOptions, 'message' | 'hint'>];

const OPERATOR =
  'tell the operator: the folder of the volume, or its `uid` and `gid`, do not fit the user of the gateway';

/** What the system's own words mean to an agent. */
const MEANINGS: Readonly<Record<string, Told>> = {
  ENOENT: ['NotFound', { message: 'there is no such file or folder', hint: 'look with `fs.list`' }],
  ENOTDIR: [
    'Conflict',
    { message: 'this is not a folder, or a file stands in the way to it', hint: 'look with `fs.list`' },
  ],
  EISDIR: ['Conflict', { message: 'this is a folder', hint: 'name a file in it' }],
  EEXIST: [
    'Conflict',
    { message: 'there is something of that name already', hint: 'use `fs.write` to replace it' },
  ],
  ENOTEMPTY: ['Conflict', { message: 'the folder is not empty', hint: 'delete what is in it first' }],
  EBUSY: ['Conflict', { message: 'this is in use' }],
  ENAMETOOLONG: ['BadRequest', { message: 'a name in the path is too long' }],
  ELOOP: ['PathOutsideBoundary', { message: 'the path goes through a symlink' }],
  EXDEV: ['PathOutsideBoundary', { message: 'the path leads to another file system' }],
  EROFS: ['VolumeReadOnly', {}],
  ENOSPC: ['QuotaExceeded', { message: 'the disk is full' }],
  EDQUOT: ['QuotaExceeded', { message: 'the disk is full' }],
  EFBIG: ['QuotaExceeded', { message: 'the file would be larger than the system allows' }],
  EACCES: ['Unprocessable', { message: 'the gateway itself may not do this', hint: OPERATOR }],
  EPERM: ['Unprocessable', { message: 'the gateway itself may not do this', hint: OPERATOR }],
};

/** A failure of the file system in the words of this gateway; the path on this machine is in none of them. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof SallyportError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof Error && error.name === 'AbortError')
    return new SallyportError('Unavailable', { message: 'the caller left before it was done', cause: error });
  if (typeof code !== 'string') return error;
  const [meaning, told] = MEANINGS[code] ?? ['Unavailable', { message: 'the volume cannot be used now' }];
  return new SallyportError(meaning, { ...told, cause: error });
}
