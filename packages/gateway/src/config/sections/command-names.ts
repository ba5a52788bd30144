/**
 * Programs that the SSH door can run, as the config names them. Each has a wrapper of the same name in `commands/`, and one
 * without does not compile.
 */
export const COMMAND_NAMES = [
  'aws',
  'gcloud',
  'gh',
  'terraform',
  'kubectl',
  'datadog',
  'linear',
  'curl',
  'git-upload-pack',
  'git-receive-pack',
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];
