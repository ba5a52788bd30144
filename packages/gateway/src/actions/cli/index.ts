export { classifyCli } from './classify-cli.ts';
export type { CliContext, CliIntent } from './cli-intent.ts';
export { hostsInText, hostsInWords } from './named-hosts.ts';
export { withOwnCredentials } from './own-credentials.ts';
