/** What a client may say of its terminal and language; everything else of its environment stays where it is. */
const ACCEPTED = /^(?:LANG|LC_[A-Z]{1,32}|TERM)$/;
const VALUE = /^[A-Za-z0-9_.@:+-]{0,64}$/;

/**
 * Whether a variable that a client asks to set is set for its command.
 *
 * SECURITY: an allowlist. `LD_PRELOAD`, `AWS_ENDPOINT_URL`, `GIT_SSH_COMMAND`, `KUBECONFIG`, `PAGER` each make a program run
 * another one, or send what it was lent elsewhere [SS-4].
 */
export function isAcceptedVariable(name: string, value: string): boolean {
  return ACCEPTED.test(name) && VALUE.test(value);
}
