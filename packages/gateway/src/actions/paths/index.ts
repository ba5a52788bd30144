export { type CanonicalPath, canonicalizePath, type PathContext } from './canonical-path.ts';
export type { LinkReader } from './link-reader.ts';
