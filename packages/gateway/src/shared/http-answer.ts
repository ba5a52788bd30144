/** What is needed of a response to write an answer with it: node's own has it, and so has the one of plain messages. */
export interface HttpAnswer {
  /** whether nothing more can be written: it is complete, or its client is gone */
  readonly destroyed: boolean;
  /** bytes that the client has not taken in yet */
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown;
  write(text: string): unknown;
  end(text?: string): unknown;
  /** Cuts the connection. */
  destroy(): unknown;
  /** It is complete, or its client is gone. */
  once(event: 'close', listener: () => void): unknown;
}
