/** Variables as the process has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface Expansion {
  readonly text: string;
  /** a variable was put in */
  readonly expanded: boolean;
  readonly problems: readonly ExpansionProblem[];
}

export interface ExpansionProblem {
  /** where in the written text, from 0 */
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

const HOW_TO_WRITE = `write \`\${NAME}\` or \`\${NAME:-default}\`; \`$\${\` stands for a literal \`\${\``;
const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]{0,127})(?::-([^}]*))?\}|\$\{/g;

/**
 * Puts variables into a text: `${NAME}`, and `${NAME:-default}` for one that is unset or empty.
 *
 * `$${` stands for a literal `${`. What was put in is not expanded again. `{name}` is left alone: those are
 * placeholders of the gate.
 */
export function expandVariables(written: string, env: Variables): Expansion {
  const problems: ExpansionProblem[] = [];
  let expanded = false;
  const text = written.replaceAll(REFERENCE, (whole, name?: string, standard?: string, offset?: number) => {
    if (whole === '$${') return '${';
    if (name === undefined) {
      problems.push({
        offset: offset ?? 0,
        message: '`${` begins no variable',
        hint: HOW_TO_WRITE,
      });
      return '';
    }
    expanded = true;
    // SECURITY: only own names, or `${constructor}` would find what every object inherits.
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (standard !== undefined) return value === undefined || value === '' ? standard : value;
    if (value !== undefined) return value;
    problems.push({
      offset: offset ?? 0,
      message: `variable \`${name}\` is not set`,
      hint: `set it, or give a default: \`\${${name}:-…}\``,
    });
    return '';
  });
  return { text, expanded, problems };
}
