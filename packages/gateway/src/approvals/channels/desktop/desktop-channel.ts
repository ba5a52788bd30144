import { execFile } from 'node:child_process';
import { SallyportError } from '@sallyport/protocol';
import type { Approval } from '../../approval/approval.ts';
import type { Notice } from '../../approval/message.ts';
import type { Channel, DeliveryRef, Recipient } from '../channel.ts';
import { describeNotice, describeNotification, type Notification, notifyCommand } from './notification.ts';

const TIMEOUT_MS = 10_000;

export interface DesktopOptions {
  /** `process.platform` */
  readonly platform: string;
  /** what the program gets: `PATH`, and on Linux `DISPLAY`, `DBUS_SESSION_BUS_ADDRESS` and the like */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * A notification on the gateway's own desktop. It tells, and takes no answers: whatever else runs in the same
 * desktop session could press its buttons, an unconfined agent included [AP-3].
 */
export class DesktopChannel implements Channel {
  readonly name = 'desktop';
  readonly ceiling = 'once';
  readonly place = 'desktop';
  readonly hosts: readonly string[] = [];
  readonly #options: DesktopOptions;

  constructor(options: DesktopOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {}

  async deliver(approval: Approval, recipient: Recipient, signal: AbortSignal): Promise<DeliveryRef> {
    await this.#notify(describeNotification(approval), signal);
    return { channel: this.name, recipient, ref: { approval: approval.id } };
  }

  async tell(notice: Notice, _recipient: Recipient, signal: AbortSignal): Promise<void> {
    await this.#notify(describeNotice(notice), signal);
  }

  /** A notification cannot be taken back by these programs; the desktop lets it go by itself. */
  async update(): Promise<void> {}

  async stop(): Promise<void> {}

  async #notify(notification: Notification, signal: AbortSignal): Promise<void> {
    const command = notifyCommand(this.#options.platform, notification);
    if (command === undefined) {
      throw new SallyportError('Unavailable', {
        message: `there are no desktop notifications on \`${this.#options.platform}\``,
      });
    }
    await new Promise<void>((resolve, reject) => {
      const env = { ...this.#options.env };
      execFile(command.program, [...command.argv], { env, signal, timeout: TIMEOUT_MS }, (error) => {
        if (error === null) resolve();
        else reject(notifyError(command.program, error));
      });
    });
  }
}

function notifyError(program: string, error: Error): SallyportError {
  const isMissing = 'code' in error && error.code === 'ENOENT';
  return isMissing
    ? new SallyportError('ToolMissing', {
        message: `\`${program}\` is not installed`,
        hint: 'on Debian and Ubuntu it comes with `libnotify-bin`',
      })
    : new SallyportError('Unavailable', { message: `\`${program}\` failed` });
}
