export type { AwsAccount, ServerKeys } from './aws-server/account.ts';
export { type AwsRecord, AwsServer, type AwsServerOptions } from './aws-server/aws-server.ts';
export { DiscordServer } from './discord-server/discord-server.ts';
export type { DiscordMessage } from './discord-server/guild.ts';
export { type Echo, type EchoServer, startEchoServer } from './echo-server.ts';
export { FakeClock } from './fake-clock.ts';
export { type GitServer, gitEnv, startGitServer } from './git-server.ts';
export { GithubAppServer } from './github-app-server/github-app-server.ts';
export { GoogleServer } from './google-server/google-server.ts';
export {
  type HttpAnswer,
  type HttpCall,
  type HttpClient,
  type HttpTarget,
  httpClient,
  type RawAnswer,
  rawHttp,
} from './http-client.ts';
export { closeServer, listenOnFreePort } from './http-server.ts';
export { type HttpsUpstream, type RecordedRequest, startHttpsUpstream } from './https-upstream.ts';
export { ImapServer, type ImapServerOptions } from './imap-server/imap-server.ts';
export { MailServer, type MailServerOptions } from './mail-server/mail-server.ts';
export { MailDomain, plainMail, type SignOptions } from './mail-server/signed-mail.ts';
export { MCP_FIXTURE_PROGRAM, type McpHttpFixture, startMcpHttpFixture } from './mcp-server/http-fixture.ts';
export {
  type EngineName,
  type Needs,
  type PartnerName,
  requireEngine,
  requirePartner,
  requireTools,
} from './needs.ts';
export { type NpmRegistry, startNpmRegistry } from './npm-registry/npm-registry.ts';
export { OauthServer, type OauthServerOptions } from './oauth-server/oauth-server.ts';
export { type PostgresOptions, startPostgres, type TestPostgres } from './postgres.ts';
export { ScriptedModel, type ScriptedModelOptions } from './scripted-model/scripted-model.ts';
export type { ModelApi, ModelRequest, ScriptedToolCall, ScriptedTurn } from './scripted-model/turn.ts';
export { SlackServer } from './slack-server/slack-server.ts';
export type { SlackMessage } from './slack-server/workspace.ts';
export { openSse, type SseMessage, type SseStream } from './sse.ts';
export type { ChatMessage } from './telegram-server/chats.ts';
export { TelegramServer } from './telegram-server/telegram-server.ts';
export { type TempDir, tempDir } from './temp-dir.ts';
export { type Certificate, createTestCa, type TestCa } from './test-ca.ts';
export { startTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway.ts';
export { VaultServer } from './vault-server/vault-server.ts';
export { type WaitOptions, waitFor, waitUntil } from './wait.ts';
export { WebhookReceiver } from './webhook-receiver/webhook-receiver.ts';
