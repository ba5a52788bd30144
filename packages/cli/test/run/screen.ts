import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { waitUntil } from '@sallyport/testkit';

/** A terminal with a person at it: tmux, on a server of its own. */
export interface Screen extends Disposable {
  /** Keys as tmux names them; text as it is. */
  keys(...keys: string[]): void;
  type(text: string): void;
  text(): string;
  /** Waits until the screen shows it. What the screen shows then. */
  shows(pattern: RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
}

export function openScreen(env: Readonly<Record<string, string>>, cwd: string): Screen {
  const name = `sallyport-${randomUUID()}`;
  const tmux = (...words: string[]): string =>
    execFileSync('tmux', ['-L', name, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { ...env },
      cwd,
    });
  tmux('new-session', '-d', '-x', '120', '-y', '40', 'bash --norc --noprofile');
  const screen: Screen = {
    keys: (...keys) => void tmux('send-keys', ...keys),
    type: (text) => void tmux('send-keys', '-l', text),
    text: () => tmux('capture-pane', '-p', '-J'),
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    async shows(pattern) {
      try {
        return await waitUntil(`the screen to show ${pattern}`, () =>
          pattern.test(screen.text()) ? screen.text() : undefined,
        );
      } catch {
        throw new Error(`the screen never showed ${pattern}:\n${screen.text()}`);
      }
    },
    [Symbol.dispose]: () => void tmux('kill-server'),
  };
  return screen;
}
