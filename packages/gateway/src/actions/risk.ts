import type { ActionType, BUILT_IN_CUSTOM_TYPES, BuiltInActionType, Effect, Risk } from '@sallyport/protocol';

/** How bad a write of each built-in type can be: a type without its risk does not compile. docs/config.md prints this table. */
const RISKS: Readonly<Record<BuiltInActionType | (typeof BUILT_IN_CUSTOM_TYPES)[number], Risk>> = {
  'code:read': 'low',
  'code:write': 'medium',
  'code:create': 'medium',
  'code:delete': 'high',
  'code:refactor': 'medium',
  'test:write': 'low',
  'test:run': 'medium',
  'docs:write': 'low',
  'vcs:read': 'low',
  'vcs:commit': 'medium',
  'vcs:push': 'high',
  'vcs:branch': 'medium',
  'deploy:staging': 'high',
  'deploy:production': 'critical',
  'comms:internal': 'medium',
  'comms:external': 'high',
  'budget:spend': 'high',
  'budget:exceed': 'critical',
  'org:hire': 'critical',
  'org:fire': 'critical',
  'org:promote': 'critical',
  'db:query': 'low',
  'db:mutate': 'high',
  'db:admin': 'critical',
  'arch:decide': 'medium',
  'tool:create': 'high',
  'memory:read': 'low',
  'knowledge:ingest': 'medium',
  'knowledge:reindex': 'medium',
  'browser:navigate': 'medium',
  'browser:screenshot': 'low',
  'browser:diff': 'low',
  'browser:accessibility_scan': 'low',
  'browser:spec': 'medium',
  'external_data:request': 'high',
  'desktop:launch': 'high',
  'desktop:click': 'medium',
  'desktop:type': 'medium',
  'desktop:key': 'medium',
  'desktop:screenshot': 'low',
  'desktop:scroll': 'low',
  'custom:inference': 'low',
  'custom:http': 'high',
  'custom:cli': 'high',
  'custom:destroy': 'high',
  'custom:connect': 'critical',
  'custom:access': 'high',
};

const WRITE_RISK: ReadonlyMap<string, Risk> = new Map(Object.entries(RISKS));

/** Static risk of a known action. A read is low; what the table does not have is critical. */
export function riskOf(type: ActionType, effect: Effect): Risk {
  return effect === 'read' && WRITE_RISK.has(type) ? 'low' : (WRITE_RISK.get(type) ?? 'critical');
}
