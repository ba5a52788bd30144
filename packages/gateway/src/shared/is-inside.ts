/**
 * Whether a path is a folder or lies below it: `/data` holds `/data/x` and itself, not `/database`. Both absolute, without
 * links and `..`: nothing is looked up here.
 */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
