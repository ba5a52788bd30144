import type { CommandName } from '../../config/index.ts';
import type { WrapperDefinition } from '../wrapper.ts';
import { aws } from './aws.ts';
import { curl } from './curl.ts';
import { gcloud } from './gcloud.ts';
import { gh } from './gh.ts';
import { gitReceivePack, gitUploadPack } from './git.ts';
import { kubectl } from './kubectl.ts';
import { terraform } from './terraform.ts';
import { datadog, linear } from './trackers.ts';

/** Every program that the config can name; one without a wrapper does not compile. */
export const WRAPPERS = {
  aws,
  gcloud,
  gh,
  terraform,
  kubectl,
  datadog,
  linear,
  curl,
  'git-upload-pack': gitUploadPack,
  'git-receive-pack': gitReceivePack,
} as const satisfies Readonly<Record<CommandName, WrapperDefinition>>;

/** What agents may call each of them. */
const BY_PROGRAM: ReadonlyMap<string, WrapperDefinition> = new Map(
  Object.values<WrapperDefinition>(WRAPPERS).flatMap((wrapper) =>
    wrapper.programs.map((program) => [program, wrapper] as const),
  ),
);

/** By the first word, which is a bare name: a path or an assignment before it is no program. */
export function findWrapper(program: string): WrapperDefinition | undefined {
  return BY_PROGRAM.get(program);
}
