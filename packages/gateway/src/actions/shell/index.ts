export { type AnalyzeShell, createShellAnalyzer, type ShellAnalysis } from './analyze-shell.ts';
export type { ClassifiedCommand, ClassifyCli, ShellContext } from './shell-context.ts';
