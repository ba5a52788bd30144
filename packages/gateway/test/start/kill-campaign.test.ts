import { requireEngine } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import { expect, test } from 'vitest';
import { runKillCampaign } from './kill-campaign.ts';

// `npm run soak:kill -- 1000` does the same for longer.
const KILLS = rounds(40);

test(`[TR-1] [TR-6] ${KILLS} times kill -9 while other programs use the database: nothing acknowledged is missing`, {
  timeout: 900_000,
}, async () => {
  const programs = {
    sqlite3: !requireEngine('sqlite3').missing,
    python: !requireEngine('python').missing,
  };
  const result = await runKillCampaign(KILLS, programs);
  expect(result).toMatchObject({ kills: KILLS, missing: [], broken: [] });
  expect(result.approvals).toBeGreaterThan(0);
  expect(result.writes).toBeGreaterThan(0);
});
