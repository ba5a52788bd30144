export { type AnalyzeShell, createShellAnalyzer, type ShellAnalysis } from './analyze-shell.ts';
export type { ClassifyCli, ShellContext } from './words/cwd-scope.ts';
