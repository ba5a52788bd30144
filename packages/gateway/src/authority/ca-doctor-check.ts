import { existsSync, readFileSync } from 'node:fs';
import type { DoctorCheck, DoctorResult } from '../config/index.ts';
import { caFacts } from './ca-files.ts';

/** Whether the local authority is there and lasts. Reads the certificate only, never the key. */
export const caDoctorCheck: DoctorCheck = {
  id: 'proxy.ca',
  title: 'certificate authority',
  async run({ paths }) {
    if (!existsSync(paths.caCertificate)) {
      return { status: 'ok', message: 'there is none yet; the first start makes it' };
    }
    return judgeCa(readFileSync(paths.caCertificate, 'utf8'), Date.now());
  },
};

/** What the state of an authority means; split out so that any moment can be asked about. */
export function judgeCa(certificatePem: string, now: number): DoctorResult {
  const { state, not_after: end } = caFacts(certificatePem, now);
  const day = end.slice(0, 10);
  const fix = 'sallyport ca rotate, then sallyport ca install';
  switch (state) {
    case 'valid':
      return { status: 'ok', message: `valid until ${day}` };
    case 'expiring':
      return { status: 'warn', message: `expires on ${day}`, fix };
    case 'expired':
      return { status: 'fail', message: `expired on ${day}: no HTTPS passes the proxy`, fix };
  }
}
