import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** One file of the JSONL sink: `<tenant>-<number of its first event>.jsonl`. */
export interface JsonlFile {
  readonly tenant: string;
  readonly firstSeq: number;
  readonly name: string;
  readonly path: string;
}

const NAME = /^(.+)-(\d{12,16})\.jsonl$/;

export function jsonlFileName(tenant: string, firstSeq: number): string {
  return `${encodeTenant(tenant)}-${String(firstSeq).padStart(12, '0')}.jsonl`;
}

/** The files of a folder, by tenant, each tenant's in order. Other names are not ours and are left out. */
export async function listJsonlFiles(folder: string): Promise<ReadonlyMap<string, readonly JsonlFile[]>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.flatMap((name): JsonlFile[] => {
    const [, tenant, seq] = NAME.exec(name) ?? [];
    if (tenant === undefined || seq === undefined) return [];
    return [{ tenant: decodeTenant(tenant), firstSeq: Number(seq), name, path: join(folder, name) }];
  });
  files.sort((a, b) => a.firstSeq - b.firstSeq);
  return Map.groupBy(files, (file) => file.tenant);
}

// SECURITY: a tenant's name must not lead out of the folder, whatever the config lets it be.
function encodeTenant(tenant: string): string {
  return encodeURIComponent(tenant).replaceAll('.', '%2E');
}

function decodeTenant(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
