export { createFilesPath, type FilesContext, FilesPath, type FilesPathOptions } from './files-path.ts';
