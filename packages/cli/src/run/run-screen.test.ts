import type { RunSummary } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import { runScreen } from './run-screen.ts';

const SUMMARY: RunSummary = {
  ...{ session_id: 'sess_01m7gs9rbp74pe29fkxqckz14q', agent: 'dev', confinement: 'jailed' },
  ...{
    started_at: '2026-11-15T10:00:00.000Z',
    ended_at: '2026-11-15T10:12:00.000Z',
    end_reason: 'exit code 0',
  },
  ...{ calls: 210, reads: 196, writes: 9, asked: 6, approved: 4, denied: 2, refused: 3 },
  hosts: [
    { host: 'api.anthropic.com', reads: 180, writes: 0, refused: 0 },
    { host: 'api.github.com', reads: 16, writes: 9, refused: 0 },
    { host: 'telemetry.example', reads: 0, writes: 0, refused: 3 },
  ],
  questions: [
    {
      what: 'POST https://api.github.com/repos/acme/app/issues',
      times: 3,
      outcome: 'approved',
      approval: 'appr_1',
    },
    { what: 'GET https://docs.example/\u001b[2Jforged', times: 1, outcome: 'approved', approval: 'appr_2' },
    { what: 'DELETE https://api.github.com/repos/acme/app', times: 2, outcome: 'denied', approval: 'appr_3' },
  ],
  suggestions: [
    { setting: 'exceptions', line: '- "http(api.github.com/**)"', avoids: 3 },
    {
      setting: 'network.rules',
      line: '- { host: "docs.example", port: 443, method: [GET, HEAD, OPTIONS], action: allow }',
      avoids: 1,
    },
  ],
  complete: true,
  taken_back: [],
  changes: {
    files: { added: 3, removed: 1, changed: 8 },
    lines: { added: 120, removed: 41, uncounted: 1 },
    git: [
      {
        folder: '.git',
        commits: 2,
        head: { was: 'refs/heads/main', now: 'refs/heads/main' },
        refs: [
          { name: 'refs/heads/main', was: '1'.repeat(40), now: '2'.repeat(40) },
          { name: 'refs/heads/old\u001b[2J', was: '1'.repeat(40), now: null },
          { name: 'refs/heads/feature', was: null, now: '2'.repeat(40) },
        ],
        stashed: { was: 1, now: 0 },
      },
    ],
    left_out: 2,
  },
};

test('one screen says what a run did, and what would have avoided its questions', () => {
  expect(runScreen(SUMMARY, true).join('\n')).toMatchSnapshot();
});

test('without being asked it suggests nothing but how to ask', () => {
  const lines = runScreen(SUMMARY, false);
  expect(lines.join('\n')).not.toContain('network.rules');
  expect(lines.at(-1)).toContain('--suggest');
});

test('says when nothing changed, and nothing of a workspace that was not held', () => {
  const nothing = { added: 0, removed: 0, changed: 0 };
  const changes = { files: nothing, lines: { added: 0, removed: 0, uncounted: 0 }, git: [], left_out: 0 };
  const lines = runScreen({ ...SUMMARY, changes }, false).join('\n');
  expect(lines).toContain('changed  nothing');
  expect(lines).not.toContain('sallyport undo');
  expect(runScreen({ ...SUMMARY, changes: null }, false).join('\n')).not.toContain('changed');
});

test('an agent cannot draw on it', () => {
  expect(runScreen(SUMMARY, true).join('\n')).not.toContain('\u001b');
});
