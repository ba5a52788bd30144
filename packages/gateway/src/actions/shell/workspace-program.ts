import { isScriptOfDeployment } from '../cli/index.ts';
import type { Workspace } from '../places/index.ts';
import type { Where } from './words/cwd-scope.ts';
import type { Word } from './words/word.ts';

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);
/** Scripts that bring a program along, by their own names. */
const BRINGS: Readonly<Record<string, string>> = { gradlew: 'gradle', mvnw: 'mvn' };
const OF_PACKAGES = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin)\/([\w.-]+)$/;

/** The program that a path of the workspace stands for: `./gradlew` is gradle, `node_modules/.bin/tsc` is tsc. */
export function standsFor(program: string): string | undefined {
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (Object.hasOwn(BRINGS, name)) return BRINGS[name];
  return OF_PACKAGES.exec(program)?.[1];
}

interface Started {
  readonly program: string;
  readonly words: readonly Word[];
  readonly where: Where;
}

/**
 * Whether a command runs a file that stands in the workspace: `./tool`, `bash scripts/x.sh`. That is work like running its
 * tests: what such code does, no words show. SECURITY: not what lies in scratch space, where anything was put; and not what
 * calls itself a deployment.
 */
export function runsOwnFile(
  { program, words, where }: Started,
  { folder }: Workspace,
  resolvePath: (given: string, cwd: string) => string,
): boolean {
  if (folder === undefined || where.known === undefined) return false;
  const file = program.includes('/') ? program : SHELLS.has(program) ? scriptOf(words) : undefined;
  if (file === undefined || isScriptOfDeployment(file)) return false;
  return where.known.every((cwd) => {
    try {
      return resolvePath(file, cwd).startsWith(`${folder}/`);
    } catch {
      return false;
    }
  });
}

/** The script that a shell is given, behind options that change nothing of what it runs. */
function scriptOf(words: readonly Word[]): string | undefined {
  const script = words.slice(1).find(({ text }) => !/^-[eux]+$/.test(text));
  return script?.literal === true && !script.tilde && !script.text.startsWith('-') ? script.text : undefined;
}
