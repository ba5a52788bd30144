export type { CliContext, CliIntent } from './cli-intent.ts';
export { curlRequest, type SpelledRequest } from './curl-request.ts';
export { hostsInSetting } from './host-settings.ts';
export { eachOnce, hostsInText, serviceHosts } from './host-text.ts';
export { hostsInPieces, hostsInWords } from './named-hosts.ts';
export { withOwnCredentials } from './own-credentials.ts';
export { classifyCli } from './programs/classify-cli.ts';
export { isScriptOfDeployment } from './programs/scripts.ts';
