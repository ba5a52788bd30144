import type { HostLists } from '../../shared/listed-host.ts';

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
}

/** The same with the root that the config sets. */
export function withPlatformRoot(
  options: PolicyOptions,
  { platform_root: root }: { readonly platform_root: string },
): PolicyOptions {
  return root === '/' ? options : { ...options, root: root.replace(/\/$/, '') };
}
