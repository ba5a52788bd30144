import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What a service of this user is: one for each home of a gateway. */
export interface ServiceSpec {
  readonly home: string;
  /** where the home is unless somebody names another: its service has the plain name */
  readonly isUsualHome: boolean;
  /** program and arguments that start the gateway in the foreground; absolute */
  readonly argv: readonly string[];
  /** where launchd writes what the gateway says; systemd has its journal */
  readonly log: string;
}

/** `sallyport`, or with a few digits of another home. */
export function serviceName({ home, isUsualHome }: Pick<ServiceSpec, 'home' | 'isUsualHome'>): string {
  return isUsualHome
    ? 'sallyport'
    : `sallyport-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
}

export function systemdFolder(env: NodeJS.ProcessEnv, userHome: string): string {
  const base = env.XDG_CONFIG_HOME;
  return join(base?.startsWith('/') === true ? base : join(userHome, '.config'), 'systemd/user');
}

export function launchdFolder(userHome: string): string {
  return join(userHome, 'Library/LaunchAgents');
}

export const launchdLabel = (name: string): string => `dev.sallyport.${name}`;

/** Whether the service of the usual home is there: then our stable paths are in use. */
export function isServiceInstalled(env: NodeJS.ProcessEnv, userHome: string): boolean {
  return [
    join(systemdFolder(env, userHome), 'sallyport.service'),
    join(launchdFolder(userHome), `${launchdLabel('sallyport')}.plist`),
  ].some((file) => existsSync(file));
}

/** A unit of the user's own systemd. */
export function systemdUnit({ argv }: Pick<ServiceSpec, 'argv'>): string {
  return `# Written by "sallyport service install"; "sallyport service remove" removes it.
[Unit]
Description=Sallyport, the gate between AI agents and the world

[Service]
Type=exec
ExecStart=${argv.map(systemdWord).join(' ')}
Restart=on-failure
RestartSec=2
UMask=0077

[Install]
WantedBy=default.target
`;
}

/** A word of a command line in a unit, as it is: `%` and `$` mean something there, quotes and backslashes too. */
function systemdWord(word: string): string {
  const plain = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${plain.replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

/** A launch agent of macOS. */
export function launchdPlist(spec: ServiceSpec): string {
  const text = (value: string): string => `<string>${escapeXml(value)}</string>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by "sallyport service install"; "sallyport service remove" removes it. -->
<plist version="1.0">
<dict>
  <key>Label</key>${text(launchdLabel(serviceName(spec)))}
  <key>ProgramArguments</key>
  <array>
${spec.argv.map((word) => `    ${text(word)}`).join('\n')}
  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>Umask</key><integer>63</integer>
  <key>StandardOutPath</key>${text(spec.log)}
  <key>StandardErrorPath</key>${text(spec.log)}
</dict>
</plist>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
