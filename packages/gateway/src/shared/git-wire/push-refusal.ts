import type { PushHead } from './push-head.ts';
import { FLUSH, onBand, packetOf } from './write-packets.ts';

/**
 * The answer of a server that takes nothing of a push, so that git shows it in its own words:
 * ` ! [remote rejected] main -> main (reason)`, and the sentence behind `remote:`.
 */
export function pushRefusal({ commands, capabilities }: PushHead, sentence: string): Buffer {
  const oneLine = sentence.replaceAll(/\s+/g, ' ').trim();
  const says = (name: string): boolean => capabilities.includes(name);
  const reports = says('report-status') || says('report-status-v2');
  const report = reports
    ? Buffer.concat([
        packetOf('unpack ok\n'),
        ...commands.map(({ ref }) => packetOf(`ng ${ref} ${oneLine.slice(0, 500)}\n`)),
        FLUSH,
      ])
    : Buffer.alloc(0);
  const small = !says('side-band-64k');
  if (small && !says('side-band')) return report;
  return Buffer.concat([onBand(2, `${sentence}\n`, small), onBand(1, report, small), FLUSH]);
}
