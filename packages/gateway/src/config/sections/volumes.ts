import { z } from 'zod';
import { isInside } from '../../shared/is-inside.ts';
import { nameSchema } from './values.ts';

/** Absolute, written plainly: what is compared by components must not have two spellings. */
const plainPath = z
  .string()
  .max(1_024)
  .regex(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
    /^\/(?!.*\/(?:\.{0,2})(?:\/|$))(?!(?:\.{1,2})(?:\/|$))[^\u0000-\u001f\u007f]+$/,
    'a path starts with `/`, does not end with it, and has no `.`, `..` or empty components',
  );

/** Highest user and group number that Linux gives to somebody. */
const HIGHEST_ID = 4_294_967_294;

const VolumeSchema = z.strictObject({
  name: nameSchema.describe('name of the volume in events and messages'),
  mount: plainPath.describe('where agents see it: paths of the `fs.*` tools below this one are its files'),
  path: plainPath.describe('the folder on this machine that holds its files; it must exist'),
  tenants: z
    .array(nameSchema)
    .min(1)
    .default(['default'])
    .describe('whose agents may use it, as far as their policies allow'),
  mode: z.enum(['rw', 'ro']).default('rw').describe('`ro`: files can be read and listed only'),
  quota_bytes: z
    .int()
    .min(1)
    .optional()
    .describe('bytes that all its files together may have; absent means no limit but the disk'),
  uid: z
    .int()
    .min(0)
    .max(HIGHEST_ID)
    .optional()
    .describe('user that new files belong to, the one that runs in the sandbox; absent: the gateway’s'),
  gid: z.int().min(0).max(HIGHEST_ID).optional().describe('group that new files belong to'),
});

export type VolumeConfig = z.infer<typeof VolumeSchema>;

export const VolumesSchema = z
  .array(VolumeSchema)
  .max(256)
  .superRefine((volumes, context) => {
    volumes.forEach((volume, index) => {
      for (const other of volumes.slice(0, index)) {
        const issue = conflictOf(volume, other);
        if (issue !== undefined)
          context.addIssue({ code: 'custom', path: [index, issue.key], ...issue.says });
      }
    });
  })
  .describe('folders that agents reach with the `fs.*` tools; without one these tools do not exist');

interface Conflict {
  readonly key: 'name' | 'mount' | 'path';
  readonly says: { readonly message: string; readonly params: { readonly hint: string } };
}

function conflictOf(volume: VolumeConfig, other: VolumeConfig): Conflict | undefined {
  const because = (key: Conflict['key'], message: string, hint: string): Conflict => ({
    key,
    says: { message, params: { hint } },
  });
  if (volume.name === other.name)
    return because(
      'name',
      `there is a volume \`${other.name}\` already`,
      'give each volume a name of its own',
    );
  if (volume.mount === other.mount && volume.tenants.some((tenant) => other.tenants.includes(tenant)))
    return because(
      'mount',
      `volume \`${other.name}\` has this mount already`,
      'give each volume its own mount',
    );
  // SECURITY: with a folder in two volumes, the mode and the quota of one would be the way around the other's.
  if (isInside(volume.path, other.path) || isInside(other.path, volume.path))
    return because(
      'path',
      `volume \`${other.name}\` holds the same files`,
      'a folder belongs to one volume: name folders of which none contains the other',
    );
  return undefined;
}
