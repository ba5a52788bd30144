// What the channel uses of the part `slack`: Bolt's own types are there only where the part is installed.

/** Keeps quiet: what these libraries log may quote messages and tokens. */
export interface SlackLogger {
  debug(...message: unknown[]): void;
  info(...message: unknown[]): void;
  warn(...message: unknown[]): void;
  error(...message: unknown[]): void;
  setLevel(level: string): void;
  getLevel(): string;
  setName(name: string): void;
}

export interface SlackClientOptions {
  readonly slackApiUrl: string;
  readonly logger: SlackLogger;
  readonly retryConfig: { readonly retries: number };
  readonly rejectRateLimitedCalls: boolean;
  readonly fetch: typeof fetch;
}

export interface SlackWebClient {
  apiCall(method: string, options: Readonly<Record<string, unknown>>): Promise<unknown>;
  filesUploadV2(options: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** `ack` takes what a modal shows next; it must be called within three seconds. */
export type SlackAck = (response?: unknown) => Promise<void>;

export interface SlackPress {
  readonly ack: SlackAck;
  readonly body: unknown;
  readonly respond: (message: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

export interface SlackSubmission {
  readonly ack: SlackAck;
  readonly body: unknown;
}

export interface SlackApp {
  action(id: RegExp, listener: (press: SlackPress) => Promise<void>): void;
  view(id: string, listener: (submission: SlackSubmission) => Promise<void>): void;
  error(handler: (error: unknown) => Promise<void>): void;
}

export interface SlackSocketClient {
  start(): Promise<unknown>;
  disconnect(): Promise<void>;
  on(event: 'disconnected', listener: () => void): void;
}

export interface SlackReceiver {
  readonly client: SlackSocketClient;
}

export interface SlackPart {
  readonly App: new (options: {
    readonly receiver: SlackReceiver;
    readonly authorize: () => Promise<{ readonly botToken: string }>;
    readonly clientOptions: SlackClientOptions;
    readonly logger: SlackLogger;
    readonly convoStore: false;
  }) => SlackApp;
  readonly SocketModeReceiver: new (options: {
    readonly appToken: string;
    readonly logger: SlackLogger;
    readonly autoReconnectEnabled: boolean;
    readonly installerOptions: { readonly clientOptions: SlackClientOptions };
  }) => SlackReceiver;
  readonly webApi: {
    readonly WebClient: new (token: string, options: SlackClientOptions) => SlackWebClient;
  };
}

const quiet = (): void => {};

export const QUIET: SlackLogger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  setLevel: quiet,
  getLevel: () => 'error',
  setName: quiet,
};
