import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditSink, FeedLine } from '../../src/audit/index.ts';

export interface SinkFixture {
  readonly sink: AuditSink;
  /** lines that the other end has, in order */
  taken(): Promise<string[]>;
  /** makes the other end refuse */
  breakIt(): Promise<void>;
  dispose(): Promise<void>;
}

const line = (seq: number): FeedLine => ({
  tenant: 'default',
  seq,
  id: `evt_${seq}`,
  type: 'ActionEvent::Judged',
  json: `{"id":"evt_${seq}","seq":${seq},"at":"2026-01-01T00:00:00.000Z","data":{"text":"ünï\\n\\"q\\" \u2028"}}`,
});

/** Every `AuditSink` runs this suite against its real other end. */
export function describeAuditSinkContract(name: string, open: () => Promise<SinkFixture>): void {
  describe(`${name} as an AuditSink`, () => {
    let fixture: SinkFixture;
    const signal = AbortSignal.timeout(60_000);
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(async () => {
      await fixture.sink.close();
      await fixture.dispose();
    });

    test('has the lines when `write` resolves, byte for byte and in order', async () => {
      await fixture.sink.write([line(1), line(2)], signal);
      await fixture.sink.write([line(3)], signal);
      expect(await fixture.taken()).toEqual([line(1).json, line(2).json, line(3).json]);
    });

    test('rejects when the other end does not take them', async () => {
      await fixture.breakIt();
      await expect(fixture.sink.write([line(1)], signal)).rejects.toThrow();
    });

    test('may be closed twice', async () => {
      await fixture.sink.close();
      await fixture.sink.close();
    });
  });
}
