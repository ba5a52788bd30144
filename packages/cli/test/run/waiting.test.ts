import { requireEngine, waitFor } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { Terminal } from '../approvals/tmux.ts';
import { openRunFixture, PROGRAM } from './run-fixture.ts';

const needs = requireEngine('bubblewrap', 'curl', 'tmux');

describe.skipIf(needs.missing)(`a person before an agent that waits (${needs.install})`, () => {
  test('is told at the start who watches and where questions go, and then what waits: line, title and bell', async () => {
    await using fixture = await openRunFixture();
    const script = `curl -sS -d x=1 ${fixture.upstream.url}/post >/dev/null && echo do''ne`;
    await using terminal = await Terminal.open(
      `cd '${fixture.workspace}' && ${process.execPath} ${PROGRAM} run -- /bin/sh -c "${script}"`,
      fixture.env(),
    );
    await terminal.shows(
      /sallyport: dev works in a jail; questions go to `sallyport watch` in another terminal/,
    );
    const screen = await terminal.shows(
      /waits for you: http: POST 127\.0\.0\.2[\s\S]*sallyport approve appr_/,
    );
    expect(screen).not.toContain('done');
    expect(await terminal.format('#{pane_title}')).toMatch(/^\? waits for you: http: POST 127\.0\.0\.2/);
    await fixture.answer('1');
    await terminal.shows(/sallyport: answered[\s\S]*done/);
    await waitFor('the title before', async () =>
      expect(await terminal.format('#{pane_title}')).not.toMatch(/waits for you/),
    );
  });
});
