import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { getPublicSuffix } from 'tldts';
import { type Document, parseDocument } from 'yaml';
import { z } from 'zod';
import { parseDomainPattern } from '../../shared/host.ts';
import type { HostLists, ListedHost } from '../../shared/listed-host.ts';

const HostPatternSchema = z.string().superRefine((pattern, context) => {
  const parsed = parseDomainPattern(pattern);
  if (parsed === undefined) {
    context.addIssue({ code: 'custom', message: `\`${pattern}\` is not a host or a \`*.\` pattern` });
  } else if (parsed.wildcard && getPublicSuffix(parsed.host) === parsed.host) {
    // Everybody can have a name below a public suffix.
    context.addIssue({ code: 'custom', message: `\`${pattern}\` covers hosts of everybody` });
  }
});

/** A whole part of a path: no query, no pattern, nothing that could lead away. */
const PATH = /^\/(?!.*(?:\/\/|\/\.{1,2}(?:\/|$)))[\w.@~/-]*$/;

const SharedHostSchema = z.strictObject({
  host: HostPatternSchema,
  paths: z
    .array(z.string().regex(PATH, 'a path begins with `/` and has no query and no pattern'))
    .min(1)
    .describe('these, and what lies below them'),
});

const HostListSchema = z.strictObject({
  description: z.string().min(1).describe('what the hosts have in common, for people'),
  groups: z
    .array(
      z.strictObject({
        category: z.string().min(1).describe('why these hosts are in the list'),
        reads_only: z.boolean().default(false).describe('GET and HEAD alone'),
        hosts: z
          .array(z.union([HostPatternSchema, SharedHostSchema]))
          .min(1)
          .describe('`example.com` or `*.example.com`; with `paths` where the host is shared'),
      }),
    )
    .describe('hosts by category'),
});

/**
 * Reads every `NAME.yaml` of a folder: the list that a policy calls `@NAME`. A folder that does not exist has no
 * lists. Throws `ConfigInvalid` for a file that is no list, a host that is none, and a pattern that covers
 * hosts of everybody (`*.com`).
 */
export function loadHostLists(dir: string): HostLists {
  const lists = new Map<string, readonly (string | ListedHost)[]>();
  for (const file of listFiles(dir)) {
    const name = basename(file, '.yaml');
    if (!/^[a-z][a-z0-9-]*$/.test(name)) {
      throw new SallyportError('ConfigInvalid', {
        message: `\`${file}\` is not a name for a host list`,
        hint: 'use lower-case letters, digits and hyphens, and the ending `.yaml`',
      });
    }
    lists.set(name, readList(join(dir, file), file));
  }
  return lists;
}

/** Built-in lists with the user's own: one of the same name takes the other's place. */
export function mergeHostLists(builtIn: HostLists, own: HostLists): HostLists {
  return new Map([...builtIn, ...own]);
}

function listFiles(dir: string): readonly string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.yaml'))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function readList(path: string, file: string): readonly (string | ListedHost)[] {
  const document = parseDocument(readFileSync(path, 'utf8'));
  const [syntax] = document.errors;
  if (syntax !== undefined) throw invalid(file, syntax.message.split('\n')[0] ?? 'it is no YAML');
  const result = HostListSchema.safeParse(plainValue(document, file));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw invalid(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is no host list'}`);
  }
  const entries = result.data.groups.flatMap(({ reads_only: readsOnly, hosts }) =>
    hosts.map((host): string | ListedHost => {
      if (typeof host === 'string') return readsOnly ? { host, readsOnly } : host;
      return readsOnly ? { ...host, readsOnly } : host;
    }),
  );
  return [...new Set(entries)];
}

function plainValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw invalid(file, 'aliases are not allowed');
  }
}

function invalid(file: string, problem: string): SallyportError {
  return new SallyportError('ConfigInvalid', {
    message: `the host list \`${file}\` is not valid: ${problem}`,
    hint: 'a list has `description` and `groups`, each with `category` and `hosts`',
  });
}
