import { requireEngine } from '@sallyport/testkit';
import { runKillCampaign } from '../../packages/gateway/test/start/kill-campaign.ts';
import { reportBench } from '../bench/report.ts';

// Kills a gateway while agents write, people decide, and other programs open, read, write, copy and close its database.
// Afterwards everything that was acknowledged is there, and the trail is whole. `npm run soak:kill -- KILLS`, a hundred
// unless told otherwise.

const kills = Number(process.argv[2] ?? 100);
if (!Number.isSafeInteger(kills) || kills < 1) throw new Error('usage: npm run soak:kill -- [KILLS]');
const programs = { sqlite3: !requireEngine('sqlite3').missing, python: !requireEngine('python').missing };
for (const [program, isThere] of Object.entries(programs))
  if (!isThere) process.stderr.write(`soak:kill: without ${program}, which is not installed\n`);

const result = await runKillCampaign(kills, programs, (round) => {
  if (round > 0 && round % 25 === 0) process.stderr.write(`soak:kill: ${round} of ${kills}\n`);
});
for (const what of [...result.missing, ...result.broken]) process.stderr.write(`${what}\n`);
const count = (name: string, value: number) => ({ name, value, unit: '' });
reportBench(
  'soak:kill',
  [
    count('kills', result.kills),
    count('approvals acknowledged, each with a grant', result.approvals),
    count('sessions acknowledged', result.sessions),
    count('writes acknowledged', result.writes),
    count('runs of other programs', result.foreignPrograms),
    count('refused for want of the lock', result.refused),
    count('acknowledged and missing', result.missing.length),
    count('trails not whole', result.broken.length),
  ],
  [
    { name: 'kills', floor: kills },
    { name: 'acknowledged and missing', floor: 0, ceiling: true },
    { name: 'trails not whole', floor: 0, ceiling: true },
  ],
);
