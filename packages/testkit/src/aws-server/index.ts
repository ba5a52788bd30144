export type { AwsAccount, ServerKeys } from './account.ts';
export { type AwsRecord, AwsServer, type AwsServerOptions } from './aws-server.ts';
