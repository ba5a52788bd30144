export {
  type AwsAccount,
  type AwsRecord,
  AwsServer,
  type AwsServerOptions,
  type ServerKeys,
} from './aws-server/index.ts';
export { type DiscordMessage, DiscordServer } from './discord-server/index.ts';
export { type Echo, type EchoServer, startEchoServer } from './echo-server.ts';
export { FakeClock } from './fake-clock.ts';
export { type GitServer, gitEnv, startGitServer } from './git-server.ts';
export { GithubAppServer } from './github-app-server/index.ts';
export { GoogleServer } from './google-server/index.ts';
export {
  type HttpAnswer,
  type HttpCall,
  type HttpClient,
  type HttpTarget,
  httpClient,
} from './http-client.ts';
export { type HttpsUpstream, type RecordedRequest, startHttpsUpstream } from './https-upstream.ts';
export { ImapServer, type ImapServerOptions } from './imap-server/index.ts';
export { closeServer, listenOnFreePort } from './listen.ts';
export {
  MailDomain,
  MailServer,
  type MailServerOptions,
  plainMail,
  type SignOptions,
} from './mail-server/index.ts';
export { MCP_FIXTURE_PROGRAM, type McpHttpFixture, startMcpHttpFixture } from './mcp-server/index.ts';
export {
  type EngineName,
  type Needs,
  type PartnerName,
  requireEngine,
  requirePartner,
  requireTools,
} from './needs.ts';
export { type NpmRegistry, startNpmRegistry } from './npm-registry/index.ts';
export { OauthServer, type OauthServerOptions } from './oauth-server/index.ts';
export { type PostgresOptions, startPostgres, type TestPostgres } from './postgres.ts';
export { type RawAnswer, rawHttp } from './raw-http.ts';
export {
  type ModelApi,
  type ModelRequest,
  ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedToolCall,
  type ScriptedTurn,
} from './scripted-model/index.ts';
export { type SlackMessage, SlackServer } from './slack-server/index.ts';
export { openSse, type SseMessage, type SseStream } from './sse.ts';
export { type ChatMessage, TelegramServer } from './telegram-server/index.ts';
export { type TempDir, tempDir } from './temp-dir.ts';
export { type Certificate, createTestCa, type TestCa } from './test-ca.ts';
export { startTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway.ts';
export { VaultServer } from './vault-server/index.ts';
export { type WaitOptions, waitFor, waitUntil } from './wait.ts';
export { WebhookReceiver } from './webhook-receiver/index.ts';
