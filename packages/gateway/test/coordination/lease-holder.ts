/** Takes the lease `job` and renews it until it is killed. */
import { LeasedJob, openCoordination } from '../../src/coordination/index.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { openStore } from '../../src/store/index.ts';

const url = process.argv[2] ?? '';
const store = await openStore({ url });
const onProblem = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);
const { leases } = await openCoordination({ store, url, clock: systemClock, onProblem });
let said = false;
new LeasedJob({
  ...{ leases, name: 'job', ms: 3_000, everyMs: 0, onProblem },
  round: async ({ fence }) => {
    if (!said) process.stdout.write(`held ${fence}\n`);
    said = true;
  },
});
setInterval(() => {}, 1_000);
