export { type CanonicalPath, canonicalizePath, type PathContext } from './canonical-path.ts';
export { type LinkReader, realFolder } from './link-reader.ts';
