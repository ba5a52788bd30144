import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { HomePaths } from '@sallyport/gateway/home';
import { HOOK_CLIENTS } from '@sallyport/protocol';
import { planInstall as planCa, removeCa } from '../ca-store.ts';
import type { OperatorClient } from '../operator-client.ts';
import type { ServiceManager } from '../service/service-manager.ts';
import { stopIfRunning } from '../wait-stopped.ts';
import { configFolder } from './enrollment.ts';
import { InstallRecord } from './install-record.ts';
import { type InstallPlan, planInstall } from './run-install.ts';
import { removeStablePlace, stablePlace } from './stable-place.ts';

const STOP_MS = 15_000;

export interface UninstallAll {
  readonly env: NodeJS.ProcessEnv;
  readonly userHome: string;
  readonly paths: HomePaths;
  /** undefined: there is no service manager here */
  readonly service: ServiceManager | undefined;
  readonly operator: () => OperatorClient;
  /** the home too, with everything that the gateway knows */
  readonly withHome: boolean;
  readonly signal: AbortSignal;
}

export interface Uninstalled {
  readonly removed: readonly string[];
  /** what stays, each with what takes it out */
  readonly left: readonly { readonly what: string; readonly how: string }[];
}

/** Takes out everything that we put into places of others, in the order in which nothing is missed. A second time goes on where one stopped. */
export async function uninstallAll(request: UninstallAll): Promise<Uninstalled> {
  const { env, userHome, paths, service, withHome } = request;
  const removed: string[] = [];
  const left: { what: string; how: string }[] = [];
  // Clients first: with the gateway gone, their hooks would stop every tool.
  for (const plan of clientPlans(request)) {
    plan.apply();
    removed.push(...plan.changes.map(({ path }) => path));
    for (const { path } of plan.changes) removeEmptied(dirname(path));
  }
  if (service?.remove() === true) removed.push(service.file);
  if (await stopIfRunning(request.operator, paths, STOP_MS)) removed.push('the running gateway');

  const ca = planCa({ platform: process.platform, env, store: undefined });
  if (ca.kind === 'automatic' && existsSync(ca.file)) {
    try {
      await removeCa(ca, request.signal);
      removed.push(ca.file);
    } catch {
      left.push({ what: `the certificate in ${ca.file}`, how: `sudo rm ${ca.file} && sudo ${ca.command}` });
    }
  }
  const stable = stablePlace(env, userHome);
  const caches = env.XDG_CACHE_HOME?.startsWith('/') === true ? env.XDG_CACHE_HOME : join(userHome, '.cache');
  const ours = [configFolder(env, userHome), dirname(stable.folder), join(caches, 'sallyport')];
  removeStablePlace(stable);
  for (const folder of [...ours, ...(withHome ? [paths.home] : [])]) {
    if (!existsSync(folder)) continue;
    rmSync(folder, { recursive: true, force: true });
    removed.push(folder);
  }
  // Folders that are there only because we were.
  for (const folder of ours) removeEmpty(dirname(folder), userHome);
  if (!withHome && existsSync(paths.home))
    left.push({ what: `the home with all that it knows: ${paths.home}`, how: `rm -r ${paths.home}` });
  left.push({ what: 'the program itself', how: 'npm uninstall -g sallyport' });
  return { removed, left };
}

/** What is installed for everything that a person does, and then in the projects that the record has. */
function* clientPlans({ env, userHome, paths }: UninstallAll): Generator<InstallPlan> {
  const places = (): readonly (string | undefined)[] => {
    const files = new InstallRecord(configFolder(env, userHome)).paths;
    return [undefined, ...new Set(files.flatMap((file) => [dirname(file), dirname(dirname(file))]))];
  };
  for (const project of places())
    for (const client of HOOK_CLIENTS) {
      const plan = planInstall({
        ...{ client, how: 'uninstall', env, paths },
        ...(project === undefined ? {} : { project }),
      });
      if (plan.changes.length > 0) yield plan;
    }
}

/** A folder of a client (`.claude`) that has nothing in it any more; never one of a person's own. */
function removeEmptied(folder: string): void {
  const isOfClient = basename(folder).startsWith('.') && existsSync(folder);
  if (isOfClient && readdirSync(folder).length === 0) rmdirSync(folder);
}

function removeEmpty(folder: string, userHome: string): void {
  if (!folder.startsWith(`${userHome}/`) || !existsSync(folder) || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), userHome);
}
