import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { SallyportError } from '@sallyport/protocol';

/** The real path of a folder inside the workspace, or of the workspace itself. Throws `SandboxRefused`. */
export function workingFolder(workspace: string, cwd: string | undefined): string {
  const root = realFolder(workspace);
  const folder = cwd === undefined ? root : realFolder(cwd);
  // SECURITY: compared after every link was followed: a link inside the workspace may lead out of it.
  if (folder !== root && !folder.startsWith(root === '/' ? root : `${root}/`)) {
    throw new SallyportError('SandboxRefused', {
      message: `\`${cwd}\` lies outside the workspace \`${workspace}\``,
      hint: 'start the command in the workspace or a folder inside it',
    });
  }
  return folder;
}

function realFolder(path: string): string {
  try {
    if (!isAbsolute(path)) throw new Error('not absolute');
    const real = realpathSync.native(path);
    if (!statSync(real).isDirectory()) throw new Error('not a folder');
    return real;
  } catch (cause) {
    throw new SallyportError('SandboxRefused', {
      message: `\`${path}\` is not a folder that can be used`,
      hint: 'name an existing folder from the root on',
      cause,
    });
  }
}
