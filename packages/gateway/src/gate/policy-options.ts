import type { ToolCategory } from '../tools/index.ts';
import type { HostLists } from './rules/patterns/host-index.ts';

/** What a policy is compiled with beside the config. */
export interface PolicyOptions {
  /** host lists by name, without the `@` */
  readonly lists: HostLists;
  /** absolute; what `/` in a rule means, unless the config has a `platform_root` */
  readonly root: string;
  /** absolute; what `~/` in a rule means */
  readonly home: string;
  /** folders that no tool reaches, whatever the policy says: the gateway's home */
  readonly closedPaths?: readonly string[];
  /** categories of the tools that the catalogue adds */
  readonly tools?: ReadonlyMap<string, ToolCategory>;
  /** types that more than one person decides */
  readonly quorumTypes?: readonly string[];
  /** names of credentials marked `risk: critical` */
  readonly criticalCredentials?: readonly string[];
}

/** The same with the root that the config sets. */
export function withPlatformRoot(
  options: PolicyOptions,
  { platform_root: root }: { readonly platform_root: string },
): PolicyOptions {
  return root === '/' ? options : { ...options, root: root.replace(/\/$/, '') };
}
