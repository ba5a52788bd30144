import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@sallyport/testkit';
import { loadActionBuilders } from '../../src/actions/index.ts';
import { loadPolicyParts } from '../../src/admission/policy-parts.ts';
import { firstConfigText, type HomePaths, loadConfig, resolveHome } from '../../src/config/index.ts';
import { Rehearsal } from '../../src/rehearsal/index.ts';

export interface PolicyHome {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string>>;
  /** home folder of the person whose machine this is */
  readonly folder: string;
  readonly workspace: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A person's machine on which the gateway was started for the first time. Its npm uses a registry of its own. */
export async function openPolicyHome(): Promise<PolicyHome> {
  const dir = await tempDir();
  const env = { HOME: dir.path };
  const paths = resolveHome(env);
  const workspace = join(dir.path, 'app');
  mkdirSync(paths.home, { recursive: true });
  mkdirSync(workspace);
  writeFileSync(join(dir.path, '.npmrc'), 'registry=https://npm.corp.example/\n');
  writeFileSync(paths.config, firstConfigText({ osUser: 'ana' }));
  return { paths, env, folder: dir.path, workspace, [Symbol.asyncDispose]: () => dir.remove() };
}

/** Questions to the policy of this home. Throws `ConfigInvalid` when its config does not pass the checks. */
export async function rehearse({ paths, env, folder, workspace }: PolicyHome): Promise<Rehearsal> {
  const parts = loadPolicyParts(paths, env);
  return new Rehearsal({
    policies: parts.compile(loadConfig({ file: paths.config, env, checks: [parts.check] })),
    createBuilder: await loadActionBuilders(),
    telemetry: parts.telemetry,
    registries: parts.registries(),
    cwd: workspace,
    home: folder,
  });
}
