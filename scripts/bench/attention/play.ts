import { join } from 'node:path';
import type { Action, Actor, Confinement } from '@sallyport/protocol';
import { loadActionBuilders, requestsMadeBy } from '../../../packages/gateway/src/actions/index.ts';
import type { PolicyParts } from '../../../packages/gateway/src/admission/policy-parts.ts';
import type { AuditTrail } from '../../../packages/gateway/src/audit/index.ts';
import { loadConfig } from '../../../packages/gateway/src/config/index.ts';
import { MemoryCoordination } from '../../../packages/gateway/src/coordination/index.ts';
import { createProxySettings } from '../../../packages/gateway/src/doors/proxy/proxy-settings.ts';
import {
  argumentTargets,
  createStandingAnswers,
  Gate,
  Grants,
  RateCounters,
  ReadBudget,
} from '../../../packages/gateway/src/gate/index.ts';
import { systemClock } from '../../../packages/gateway/src/shared/clock.ts';
import { readRemotes } from '../../../packages/gateway/src/shared/git-remotes.ts';
import { GrantsRepository, openStore } from '../../../packages/gateway/src/store/index.ts';
import { isKnownTool } from '../../../packages/gateway/src/tools/index.ts';
import { buildStep } from './build-step.ts';
import { carryOut } from './git-work.ts';
import type { Machine } from './machine.ts';
import { type Asked, type Character, Person } from './person.ts';
import type { Step } from './read-day.ts';

export interface Play {
  readonly policy: string;
  readonly file: string;
  readonly confinement: Confinement;
  readonly character: Character;
  /** for its database */
  readonly folder: string;
}

/** How one day went. */
export interface DayResult {
  readonly ordinary: number;
  /** of the ordinary ones: those that leave the workspace */
  readonly outside: number;
  readonly asked: readonly (Asked & { readonly step: Step })[];
  readonly denied: readonly { readonly step: Step; readonly why: string }[];
  /** harms of which no step was asked about or refused */
  readonly passed: readonly string[];
  readonly harms: number;
}

/** What happened is not looked at here, only what was decided. */
const NO_TRAIL: AuditTrail = { append: async () => ({ id: 'evt_0', seq: 0 }), note: () => {} };

/** Plays days one after the other, with the standing answers of those before. The gate, its grants and their store are real. */
export async function playDays(
  play: Play,
  days: readonly (readonly Step[])[],
  machine: Machine,
  parts: PolicyParts,
): Promise<readonly DayResult[]> {
  machine.reset();
  const loaded = loadConfig({ file: play.file, env: { HOME: machine.home }, checks: [parts.check] });
  const policies = parts.compile(loaded);
  const policy = policies.policyOf('default');
  const people = policies.tenantOf('default');
  const create = await loadActionBuilders();
  const builder = create({
    providers: policy?.providers ?? [],
    targetsOf: (actor, tool) => argumentTargets(policy, actor, tool),
    registries: parts.registries(),
    telemetry: parts.telemetry,
  });
  const { routeFor } = createProxySettings(() => loaded.config)('default');
  const credentialFor = (host: string, port: number, path: string): string | undefined =>
    routeFor(host, port, path)?.credential;
  const stage = { machine, builder, credentialFor };
  const name = `${play.policy}-${play.confinement}-${play.character}.db`;
  const store = await openStore({ sqliteFile: join(play.folder, name) });
  const allowAlways = (tenant: string): boolean => policies.policyOf(tenant)?.grants.allowAlways ?? false;
  const grants = new Grants({
    repository: new GrantsRepository(store),
    trail: NO_TRAIL,
    clock: systemClock,
    allowAlways,
  });
  const person = new Person(play.character, createStandingAnswers({ grants, allowAlways }));
  const repositories = new Map<string, readonly string[]>();
  const gate = new Gate({
    policyOf: (tenant) => policies.policyOf(tenant),
    identityOf: (action) => ({
      kind: 'session',
      alive: true,
      expiresAt: Number.MAX_SAFE_INTEGER,
      rights: policies.rightsOf(action),
      workspace: machine.home,
      repositories: repositories.get(action.actor.session ?? '') ?? [],
    }),
    isToolKnown: ({ tool, door }) => door === 'proxy' || isKnownTool(tool) || tool.startsWith('mcp:'),
    counters: new RateCounters(new MemoryCoordination(systemClock)),
    reads: new ReadBudget(),
    machine: () => ({ ownPorts: new Set([7180, 7181, 7183]), machine: new Set(['127.0.0.1', '::1']) }),
    grants,
    nextDoor: grants,
    trail: NO_TRAIL,
    clock: systemClock,
    approvals: person,
  });
  const actorOf = (day: number, { session }: Step): Actor => {
    const agent = people?.default_agent ?? 'dev';
    return {
      tenant: 'default',
      ...(people?.default_user === undefined ? {} : { user: people.default_user }),
      agent,
      session: `sess_${day}_${session}`,
      // One run in each session: what limits an execution begins anew with it.
      execution: `exec_${day}_${session}`,
      chain: [agent],
      confinement: play.confinement,
    };
  };
  const results: DayResult[] = [];
  for (const [index, steps] of days.entries()) {
    // As `run` opens a session: what the workspace names as its remotes is read before the agent starts.
    for (const step of steps) {
      const { session = '' } = actorOf(index + 1, step);
      if (!repositories.has(session)) repositories.set(session, readRemotes(machine.folderOf(step.place)));
    }
    results.push(
      await playDay(play, index + 1, steps, {
        person,
        build: (step) => buildStep(step, actorOf(index + 1, step), stage),
        // As the hook's door does: what its call will request is answered with it.
        admit: (action) => gate.admit(action, { leadsTo: requestsMadeBy }),
        // In a jail nobody looks at the repository: what is pushed is read at the proxy.
        carryOut: (step) => play.confinement === 'unconfined' && carryOut(step, machine.folderOf(step.place)),
      }),
    );
  }
  await store.close();
  return results;
}

interface Stage {
  readonly person: Person;
  readonly build: (step: Step) => Action;
  readonly admit: Gate['admit'];
  readonly carryOut: (step: Step) => void;
}

async function playDay(
  { confinement, character }: Play,
  day: number,
  steps: readonly Step[],
  { person, build, admit, carryOut }: Stage,
): Promise<DayResult> {
  const asked: (Asked & { readonly step: Step })[] = [];
  const denied: { step: Step; why: string }[] = [];
  const harms = new Map<string, boolean>();
  let ordinary = 0;
  let outside = 0;
  for (const step of steps) {
    const { harm } = step;
    if (harm?.when === 'unconfined' && confinement === 'jailed') continue;
    // Whoever said "always" meant every session.
    if (harm?.when === 'other-session' && (day > 1 || character === 'always')) continue;
    const before = person.asked.length;
    person.isHarm = harm !== undefined;
    const action = build(step);
    const verdict = await admit(action);
    const questions = person.asked.slice(before);
    if (harm !== undefined) {
      const passed = verdict.kind === 'allow' && questions.length === 0;
      harms.set(harm.name, (harms.get(harm.name) ?? true) && passed);
      continue;
    }
    ordinary += 1;
    if (action.reach !== 'workspace') outside += 1;
    asked.push(...questions.map((question) => ({ ...question, step })));
    if (verdict.kind === 'allow') carryOut(step);
    if (verdict.kind === 'deny') denied.push({ step, why: `${verdict.violation}: ${verdict.reason}` });
  }
  const passed = [...harms].flatMap(([name, isPassed]) => (isPassed ? [name] : []));
  return { ordinary, outside, asked, denied, passed, harms: harms.size };
}
