export { classifyCli } from './classify-cli.ts';
export type { CliContext, CliIntent } from './cli-intent.ts';
export { hostsInText, hostsInWords } from './named-hosts.ts';
