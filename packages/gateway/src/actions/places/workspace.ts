import { compileGlob } from '../../shared/glob.ts';
import { isGuardedPath, mayBeGuarded } from '../../shared/guarded-places.ts';
import { SECRETS_OF_HOME } from '../../shared/well-known-secrets.ts';
import { rebuiltFolder } from '../../workspace/index.ts';

/** What of this machine belongs to a session without a jail. All paths are absolute and canonical. */
export interface Workspace {
  /** undefined: the session named none, or one that is too wide to be one */
  readonly folder: string | undefined;
  /** folders for what is thrown away */
  readonly scratch: readonly string[];
  readonly home: string;
}

/** Of whoever runs apart from this machine: all that it can see is its own. */
export const EVERYTHING: Workspace = { folder: '/', scratch: [], home: '/' };
/** Of a session that named no folder. */
export const NOTHING: Workspace = { folder: undefined, scratch: [], home: '/' };

/** Where temporary files lie unless the client says otherwise. */
const TEMPORARY = ['/tmp', '/private/tmp'];
/** Where a client's own word for it is believed: nothing but temporary files is kept there. */
const BELIEVED =
  /^(?:\/tmp|\/private\/tmp|\/var\/tmp|\/private\/var\/folders|\/var\/folders|\/run\/user\/\d+)\//;

/**
 * What a session may call its own.
 *
 * SECURITY: a folder that holds the whole home, or the machine, is nobody's workspace, and a client's word that its
 * temporary files lie among other things is not taken.
 */
export function workspaceOf(folder: string | undefined, home: string, temporary?: string): Workspace {
  const own = folder === undefined || isInside(home, folder) ? undefined : folder;
  const extra = temporary !== undefined && BELIEVED.test(temporary) ? [temporary.replace(/\/+$/, '')] : [];
  return { folder: own, scratch: [...TEMPORARY, ...extra], home };
}

/** Whether a path lies in what belongs to the session. */
export function isOwn(real: string, { folder, scratch, home }: Workspace): boolean {
  if (folder !== undefined && isInside(real, folder)) return true;
  if (isInside(real, home)) return false;
  return scratch.some((place) => real !== place && isInside(real, place));
}

/** Whether what is written at a path of the workspace would run later; `rest`: a pattern below it. */
export function runsLater(real: string, { folder }: Workspace, rest?: string): boolean {
  if (folder === undefined || !isInside(real, folder)) return false;
  const below = real.slice(folder.length + 1);
  if (rest === undefined) return isGuardedPath(below);
  return mayBeGuarded(below === '' ? rest : `${below}/${rest}`);
}

/** Folders that a build makes, under names that nobody gives to folders of their own. */
const MADE: ReadonlySet<string> = new Set(
  `target dist build out coverage htmlcov _build .cache .nyc_output .output .build .coverage storybook-static zig-cache zig-out
  bazel-bin bazel-out cmake-build-debug cmake-build-release DerivedData`.split(/\s+/),
);

/** Whether what lies at a path of the session's own is made anew by the next build, or was to be thrown away. */
export function isRebuilt(real: string, workspace: Workspace): boolean {
  const { folder } = workspace;
  if (folder === undefined || !isInside(real, folder)) return isOwn(real, workspace);
  return real
    .slice(folder.length + 1)
    .split('/')
    .some((name) => MADE.has(name) || rebuiltFolder(name) === 'by-name');
}

/** Paths that look like files and keep nothing. */
const NO_FILES =
  /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|u?random|fd\/\d+|pts\/\d+)$|^\/proc\/self\/fd\/\d+$/;

export function isNoFile(real: string): boolean {
  return NO_FILES.test(real);
}

/** Places of secrets that no home holds. */
const OF_MACHINE =
  /^\/(?:etc\/(?:shadow|gshadow|sudoers|krb5\.keytab)(?:$|[-.]|\/)|etc\/ssh\/ssh_host|etc\/ssl\/private(?:$|\/)|etc\/NetworkManager\/system-connections|var\/run\/secrets|run\/secrets|proc\/(?:\d+|self|thread-self)\/(?:environ|mem|maps)$|proc\/kcore|dev\/(?:mem|kmem|sd|nvme|vd|hd|disk|mapper))/;
const OF_ROOT = /^\/root(?:$|\/)/;
const A_HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=$|\/)/;

/**
 * Whether a path is a well-known place of secrets, of this home or of another one. `below`: whoever takes a folder takes
 * what is in it.
 */
export function isSecret(real: string, home: string, below: boolean): boolean {
  if (OF_MACHINE.test(real) || (OF_ROOT.test(real) && !isInside(real, home))) return true;
  const whose = isInside(real, home) ? home : A_HOME.exec(real)?.[0];
  if (whose !== undefined && SECRETS_OF_HOME.some((place) => isInside(real, `${whose}/${place}`)))
    return true;
  return (
    below && (isInside(home, real) || SECRETS_OF_HOME.some((place) => isInside(`${home}/${place}`, real)))
  );
}

/** Whether a pattern below a folder can name a place of secrets, or something in one. */
export function mayMatchSecret(real: string, rest: string, home: string, below: boolean): boolean {
  if (isSecret(real, home, false)) return true;
  if (!isInside(home, real)) return false;
  const parts = rest.split('/');
  return SECRETS_OF_HOME.some((place) => {
    const way = `${home}/${place}`.slice(real === '/' ? 1 : real.length + 1).split('/');
    return leadsInto(parts, way, below);
  });
}

/** Whether a pattern can name the end of a way, or something behind it; `below`: or something that it lies in. */
function leadsInto([part, ...parts]: readonly string[], way: readonly string[], below: boolean): boolean {
  const [name, ...rest] = way;
  if (name === undefined) return true;
  if (part === undefined) return below;
  if (part === '**') return leadsInto(parts, way, below) || leadsInto([part, ...parts], rest, below);
  return matchesName(part, name) && leadsInto(parts, rest, below);
}

/** As a shell does it: a `*` at the start of a name stands for no dot. */
function matchesName(pattern: string, name: string): boolean {
  return !(pattern.startsWith('*') && name.startsWith('.')) && compileGlob(pattern, 'path').matches(name);
}

/** Prefix on component borders. */
function isInside(path: string, folder: string): boolean {
  if (folder === '/') return path.startsWith('/');
  return path.startsWith(folder) && (path.length === folder.length || path.charCodeAt(folder.length) === 47);
}
