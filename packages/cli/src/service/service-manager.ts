import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import {
  launchdFolder,
  launchdLabel,
  launchdPlist,
  type ServiceSpec,
  serviceName,
  systemdFolder,
  systemdUnit,
} from './service-files.ts';

/** Whoever starts programs of this user after a login or a reboot, asked in one way. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd';
  /** what is written for the gateway */
  readonly file: string;
  /** writes the file and starts the gateway; again: with what is different */
  install(): void;
  /** stops it; false when there was none */
  remove(): boolean;
  state(): ServiceState;
  /** program and arguments that show what it said */
  logs(options: { readonly lines: number; readonly follow: boolean }): readonly string[];
  /** what a person may want to know */
  notes(): readonly string[];
}

export interface ServiceState {
  readonly installed: boolean;
  readonly running: boolean;
  /** comes up by itself */
  readonly enabled: boolean;
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly userHome: string;
  readonly userId: number;
}

/** The manager of this machine. Throws `ToolMissing` where there is none. */
export function findServiceManager(machine: Machine, spec: ServiceSpec): ServiceManager {
  if (machine.platform === 'darwin') return launchd(machine, spec);
  if (machine.platform === 'linux' && hasSystemd(machine)) return systemd(machine, spec);
  throw new SallyportError('ToolMissing', {
    message: 'there is no service manager for you here: no systemd that answers `systemctl --user`',
    hint: 'start the gateway without one: `sallyport start --detach`; in a container let its command be `sallyport start`',
  });
}

function hasSystemd({ env }: Machine): boolean {
  return run(env, 'systemctl', ['--user', 'show-environment']).status === 0;
}

function systemd({ env, userHome }: Machine, spec: ServiceSpec): ServiceManager {
  const unit = `${serviceName(spec)}.service`;
  const file = join(systemdFolder(env, userHome), unit);
  const ask = (...argv: string[]): string => run(env, 'systemctl', ['--user', ...argv]).stdout.trim();
  const tell = (...argv: string[]): void => demand(env, 'systemctl', ['--user', ...argv]);
  return {
    name: 'systemd',
    file,
    install() {
      write(file, systemdUnit(spec));
      tell('daemon-reload');
      tell('enable', unit);
      tell('restart', unit);
    },
    remove() {
      if (!existsSync(file)) return false;
      tell('disable', '--now', unit);
      rmSync(file);
      tell('daemon-reload');
      return true;
    },
    state: () => ({
      installed: existsSync(file),
      running: ask('is-active', unit) === 'active',
      enabled: ask('is-enabled', unit) === 'enabled',
    }),
    logs: ({ lines, follow }) => [
      ...['journalctl', '--user', '--unit', unit, '--lines', String(lines), '--output', 'cat'],
      ...(follow ? ['--follow'] : ['--no-pager']),
    ],
    notes: () => [
      'it starts when you log in; to have it after a reboot without that: `loginctl enable-linger`',
    ],
  };
}

function launchd({ env, userHome, userId }: Machine, spec: ServiceSpec): ServiceManager {
  const label = launchdLabel(serviceName(spec));
  const file = join(launchdFolder(userHome), `${label}.plist`);
  const place = `gui/${userId}`;
  const print = () => run(env, 'launchctl', ['print', `${place}/${label}`]);
  const unload = (): void => {
    if (print().status === 0) demand(env, 'launchctl', ['bootout', `${place}/${label}`]);
  };
  return {
    name: 'launchd',
    file,
    install() {
      write(file, launchdPlist(spec));
      unload();
      demand(env, 'launchctl', ['bootstrap', place, file]);
    },
    remove() {
      if (!existsSync(file)) return false;
      unload();
      rmSync(file);
      return true;
    },
    state() {
      const { status, stdout } = print();
      const installed = existsSync(file);
      return { installed, running: status === 0 && /state = running/.test(stdout), enabled: installed };
    },
    logs: ({ lines, follow }) => ['tail', '-n', String(lines), ...(follow ? ['-f'] : []), spec.log],
    notes: () => ['it starts when you log in'],
  };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o644 });
  renameSync(fresh, file);
}

function run(env: NodeJS.ProcessEnv, program: string, argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, argv, { env, encoding: 'utf8', timeout: 60_000 });
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** Throws `Unprocessable` with what the program said. */
function demand(env: NodeJS.ProcessEnv, program: string, argv: readonly string[]): void {
  const { status, stderr } = run(env, program, argv);
  if (status === 0) return;
  throw new SallyportError('Unprocessable', {
    message: `\`${program} ${argv.join(' ')}\` failed${stderr.trim() === '' ? '' : `: ${stderr.trim()}`}`,
    hint: 'mend that, then run it again; `sallyport start --detach` starts the gateway without a service',
  });
}
