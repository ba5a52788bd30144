import { parameterCertainty } from '../../shared/credential-forms/names.ts';
import { Secret } from '../../shared/secret.ts';

const SHORTEST = 12;
const AT_MOST = 200;

/**
 * What the environment calls a secret, by the names of its variables. `${NAME}` can put any of them anywhere into the
 * config, and nothing that is shown may repeat it [CR-1].
 */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): readonly Secret[] {
  return Object.entries(env)
    .filter(([name, value]) => value !== undefined && soundsSecret(name) && mayBeSecret(value))
    .slice(0, AT_MOST)
    .map(([, value = '']) => new Secret(value));
}

function soundsSecret(name: string): boolean {
  const certainty = parameterCertainty(name);
  return certainty !== 'none' && certainty !== 'ordinary';
}

/** Paths (`GOOGLE_APPLICATION_CREDENTIALS`) and words are none, and would be taken out of everything else. */
function mayBeSecret(value: string): boolean {
  return value.length >= SHORTEST && !/^[/~.]|\s/.test(value);
}
