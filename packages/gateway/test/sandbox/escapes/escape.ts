/** Where the things are that an agent would like to reach. */
export interface Places {
  /** the home of the person, with secrets in it */
  readonly home: string;
  /** `$SALLYPORT_HOME`, with the operator's token and socket */
  readonly gatewayHome: string;
  readonly workspace: string;
  /** a folder of the host beside the workspace */
  readonly beside: string;
  /** a unix socket that answers `ESCAPED`, as docker.sock would */
  readonly hostSocket: string;
  /** the same by an abstract name */
  readonly abstractName: string;
  /** ports of the host's loopback that answer `ESCAPED` */
  readonly tcpPort: number;
  readonly udpPort: number;
  /** a process of the host that stands for the gateway: `GATEWAY_SECRET` in its environment and arguments */
  readonly gatewayPid: number;
}

/** One attempt. The script prints `ESCAPED` when it got what it wanted. */
export interface Escape {
  readonly id: 'JA-1' | 'JA-2' | 'JA-3' | 'JA-4' | 'JA-5' | 'JA-9';
  readonly why: string;
  script(at: Places): string;
  /** a bomb that only a control group stops, or that needs the kernel to count this user's processes */
  readonly needs?: 'group' | 'counting';
  /** the same script gets out of `subprocess`: shows that the attempt is a real one */
  readonly outside?: true;
}

/** The secret in every file that must not be read; spelled so that no script contains it. */
export const SECRET = ['top', 'secret', 'value'].join('-');

/** Says `ESCAPED` when the command before it printed the secret; the pattern does not match itself. */
export const SHOWS_SECRET = `grep -q 'top[-]secret' && echo ESCAPED`;

/** A syscall by its number on this machine, with perl: says `ESCAPED` unless it fails. */
export function syscall(numbers: readonly [x64: number, arm64: number], args: string): string {
  const number = numbers[process.arch === 'arm64' ? 1 : 0];
  return `perl -e 'my $r = syscall(${number}, ${args}); print $r == -1 ? "refused: $!\\n" : "ESCAPED\\n"'`;
}
