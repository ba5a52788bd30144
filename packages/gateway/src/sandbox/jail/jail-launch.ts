/** How to start a jail: hand it to `spawnJail`, which opens the files and starts the program. */
export interface JailLaunch {
  readonly program: string;
  readonly args: readonly string[];
  /** the environment of the launcher itself: without anything of the caller's */
  readonly env: Readonly<Record<string, string>>;
  /** the descriptors from 3 on, or from 4 with a lifeline: options, seccomp filter, files of the home; a path is a file of the host */
  readonly files: readonly (Uint8Array | string)[];
  /** descriptor 3 is a pipe to the caller: its end tells the forwarder that the caller is gone */
  readonly lifeline: boolean;
  /** a session and process group of its own; the caller then passes signals on */
  readonly detached: boolean;
  /** files of the host that read as empty inside, for people to be told */
  readonly masked?: readonly string[];
}
