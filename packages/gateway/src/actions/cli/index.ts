export { classifyCli } from './classify-cli.ts';
export type { CliContext, CliIntent } from './cli-intent.ts';
export { hostsInSetting } from './host-settings.ts';
export { eachOnce, hostsInText, serviceHosts } from './host-text.ts';
export { hostsInPieces, hostsInWords } from './named-hosts.ts';
export { withOwnCredentials } from './own-credentials.ts';
