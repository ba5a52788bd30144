/**
 * Which tools of a common MCP server only read: offered to the operator, in force for none until the config names it, and
 * then for the very definitions that were accepted.
 */
export interface ReadsPreset {
  /** what such servers call themselves in their handshake */
  readonly servers: readonly string[];
  /** for people: whose server it is */
  readonly docs: string;
  readonly tools: readonly string[];
  /** what these tools may be called with and still only read */
  readonly arguments: readonly string[];
  /**
   * Arguments with which a call is no read: where something is written to, or another address. SECURITY: a tool that has
   * an argument in neither list is not counted at all: what reads a page today saves it to a file tomorrow.
   */
  readonly writesWith: readonly string[];
  /** what sounds like reading and is left out on purpose, and why */
  readonly leftOut: Readonly<Record<string, string>>;
}

/** A list as it is easily read: words with blanks between them. */
export function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
