import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SallyportError } from '@sallyport/protocol';

/** What adding a certificate to the machine's trust means here. */
export type InstallPlan =
  /** copy it to `file`, then run `command` */
  | { readonly kind: 'automatic'; readonly file: string; readonly command: string }
  /** what a person does; `{file}` stands for the certificate */
  | { readonly kind: 'by-hand'; readonly steps: readonly string[] };

const NAME = 'sallyport-local-ca.crt';
/** Where each family of systems keeps what was added, and what reads it. */
const STORES = [
  { folder: '/usr/local/share/ca-certificates', command: 'update-ca-certificates' },
  { folder: '/etc/pki/ca-trust/source/anchors', command: 'update-ca-trust' },
  { folder: '/etc/ca-certificates/trust-source/anchors', command: 'update-ca-trust' },
] as const;

/** Finds the store of this machine. `store` names a folder in its place. */
export function planInstall(machine: {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly store?: string | undefined;
}): InstallPlan {
  if (machine.platform === 'linux' || machine.store !== undefined) {
    for (const { folder, command } of STORES) {
      const own = machine.store ?? folder;
      const program = findProgram(command, machine.env);
      if (existsSync(own) && program !== undefined) {
        return { kind: 'automatic', file: join(own, NAME), command: program };
      }
    }
  }
  if (machine.platform === 'darwin') {
    const keychain = '/Library/Keychains/System.keychain';
    return {
      kind: 'by-hand',
      steps: [`sudo security add-trusted-cert -d -r trustRoot -k ${keychain} {file}`],
    };
  }
  return {
    kind: 'by-hand',
    steps: [
      'no trust store that is known here; either add this file to the one of your system:',
      '  {file}',
      'or tell programs about it one by one:',
      '  export SSL_CERT_FILE={file} NODE_EXTRA_CA_CERTS={file} REQUESTS_CA_BUNDLE={file}',
    ],
  };
}

/** Carries a plan out. Throws `NotPermitted` when the store belongs to someone else. */
export async function installCa(
  plan: InstallPlan & { readonly kind: 'automatic' },
  certificate: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    writeFileSync(plan.file, certificate, { mode: 0o644 });
  } catch (cause) {
    throw new SallyportError('NotPermitted', {
      message: `\`${plan.file}\` cannot be written`,
      hint: 'run it with `sudo`, and name the home with `--home`',
      cause,
    });
  }
  try {
    await promisify(execFile)(plan.command, [], { signal });
  } catch (cause) {
    throw new SallyportError('Unprocessable', {
      message: `\`${plan.command}\` failed, so the certificate is in its folder and not trusted yet`,
      hint: `run \`sudo ${plan.command}\``,
      cause,
    });
  }
}

/** Takes it out again. Throws where the store belongs to someone else. */
export async function removeCa(
  plan: InstallPlan & { readonly kind: 'automatic' },
  signal: AbortSignal,
): Promise<void> {
  rmSync(plan.file);
  await promisify(execFile)(plan.command, [], { signal });
}

function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = [...(env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin', '/sbin'].filter(
    (at) => at !== '',
  );
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
