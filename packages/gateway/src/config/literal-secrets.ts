import { holdsKnownKey } from '../shared/credential-forms/values.ts';
import type { ConfigPath, ConfigProblem } from './checks/config-check.ts';
import type { SourceNode } from './source/source-node.ts';

// A password in a URL, unless it is a pattern or a variable.
const URL_PASSWORD = /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@*${}]{0,100}:[^\s/:@*${}]{1,200}@/i;

/** Whether a text, as written in a file, holds something that has the shape of a secret. */
export function looksLikeSecret(written: string): boolean {
  return holdsKnownKey(written) || URL_PASSWORD.test(written);
}

/**
 * A problem for each text in the sources that looks like a secret. Secrets are read from sources, never
 * written in the config. What came from a variable is not looked at: that names a source.
 *
 * SECURITY: the message repeats nothing of the text.
 */
export function findLiteralSecrets(node: SourceNode, path: ConfigPath = []): readonly ConfigProblem[] {
  switch (node.kind) {
    case 'scalar':
      return looksLikeSecret(node.written)
        ? [
            {
              severity: 'error',
              path,
              message: 'this looks like a secret; secrets are not written in the config',
              hint: 'revoke it if others saw it; name where it is read from: `env:NAME`, `file:path`, or a variable',
            },
          ]
        : [];
    case 'list':
      return node.items.flatMap((item, index) => findLiteralSecrets(item, [...path, index]));
    case 'map':
      return [...node.entries].flatMap(([key, entry]) => findLiteralSecrets(entry.value, [...path, key]));
  }
}
