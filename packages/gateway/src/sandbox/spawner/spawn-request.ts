/** One command for the spawner. */
export interface SpawnRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** the descriptors of a `JailLaunch`: contents in base64, or a file of the host */
  readonly files: readonly ({ readonly content: string } | { readonly path: string })[];
  readonly lifeline: boolean;
  /** a variable of `env`: processes that carry it are killed when the command has ended */
  readonly marker?: string;
}

/** As it travels, in JSON. */
export interface SpawnOrder extends SpawnRequest {
  /** a frame with its input follows; without, it reads from /dev/null */
  readonly hasInput: boolean;
}

export interface SpawnExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
