import type { Escape, Places } from './escapes/escape.ts';

/** All attempts as one script: a jail for each would take a minute. */
export function batchScript(escapes: readonly Escape[], at: Places): string {
  const one = ({ script }: Escape, index: number): string =>
    `printf '\\n@@%s@@\\n' ${index}\n(\n${script(at)}\n) 2>&1 </dev/null\nprintf '\\n@@end@@\\n'`;
  return escapes.map(one).join('\n');
}

/** What each attempt printed; undefined for one that did not run to its end. */
export function batchOutputs(output: string, count: number): readonly (string | undefined)[] {
  return Array.from({ length: count }, (_, index) => {
    const from = output.split(`\n@@${index}@@\n`)[1];
    const parts = from?.split('\n@@end@@\n') ?? [];
    return parts.length > 1 ? parts[0] : undefined;
  });
}
