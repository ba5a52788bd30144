import { isOurs } from '../hook/client-hooks.ts';
import { isJson, type Json, unusable } from './settings-file.ts';

/** Settings with one group of ours behind whatever each event has; ours of before are gone. */
export function withHooks<Event extends string>(
  path: string,
  json: Json,
  events: readonly Event[],
  group: (event: Event) => object,
): Json {
  const clean = withoutHooks(path, json);
  const hooks = isJson(clean.hooks) ? clean.hooks : {};
  const added = events.map((event) => {
    const groups = hooks[event] ?? [];
    if (!Array.isArray(groups))
      throw unusable(path, `has \`hooks.${event}\` that is no list`, 'mend it first');
    return [event, [...groups, group(event)]] as const;
  });
  return { ...clean, hooks: { ...hooks, ...Object.fromEntries(added) } };
}

/** The same without hooks of ours, and without what only they needed. */
export function withoutHooks(path: string, json: Json): Json {
  if (json.hooks === undefined) return json;
  if (!isJson(json.hooks)) throw unusable(path, 'has `hooks` that are no object', 'mend it first');
  const kept = Object.entries(json.hooks).flatMap(([event, groups]) => {
    if (!Array.isArray(groups)) return [[event, groups] as const];
    const others = groups.flatMap((group) => withoutOurs(group));
    return others.length === 0 && groups.length > 0 ? [] : [[event, others] as const];
  });
  const { hooks: _hooks, ...rest } = json;
  if (kept.length === 0 && Object.keys(json.hooks).length > 0) return rest;
  return { ...json, hooks: Object.fromEntries(kept) };
}

function withoutOurs(group: unknown): readonly unknown[] {
  if (!isJson(group) || !Array.isArray(group.hooks)) return [group];
  const others = group.hooks.filter((handler) => !isJson(handler) || !isOurs(handler));
  if (others.length === group.hooks.length) return [group];
  return others.length === 0 ? [] : [{ ...group, hooks: others }];
}
