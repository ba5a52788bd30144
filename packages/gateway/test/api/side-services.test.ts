import { PORTS } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import { doors, NOT_YET } from '../../src/doors/index.ts';
import type { DoorDefinition, OpenDoor } from '../../src/servers/index.ts';

/** Compiled, never run: each line that must not compile says so, and `check types` fails when one of them does. */
export const greedy = {
  name: 'hook',
  targets: [],
  open(services): OpenDoor {
    // @ts-expect-error the operator's token
    void services.operatorToken;
    // @ts-expect-error the kill switch
    void services.gateway.stop('killed');
    // @ts-expect-error the kill switch by another name
    void services.sessions.endAll('all of them', { kind: 'gateway' });
    // @ts-expect-error a decision
    void services.approvals.decisions;
    // @ts-expect-error questions of everyone, gone
    void services.approvals.approvals.withdrawAll();
    // @ts-expect-error grants, written
    void services.grants;
    // @ts-expect-error grants of whoever, by way of a client's own
    void services.clientRules.create;
    // @ts-expect-error a new API key
    void services.keys.create;
    // @ts-expect-error a new enrollment secret
    void services.enrollment;
    // @ts-expect-error the config, changed
    void services.config.reload;
    // @ts-expect-error the trail, read
    void services.trail.read;
    // @ts-expect-error the store itself
    void services.store;
    // @ts-expect-error the value of a credential
    void services.lending.broker.secretOf;
    // @ts-expect-error a changed tool, accepted
    void Promise.resolve(services.tools.open()).then(({ servers }) => servers.accept);
    return {};
  },
} satisfies DoorDefinition<'hook'>;

/** A door whose facts name a port must take connections. */
export const deaf = {
  name: 'proxy',
  targets: ['http'],
  // @ts-expect-error nothing takes the connections of its port
  open: () => ({}),
} satisfies DoorDefinition<'proxy'>;

export const misnamed = {
  // @ts-expect-error a name that no list has
  name: 'postern',
  targets: [],
  open: () => ({}),
} satisfies DoorDefinition;

test('[ID-1] what must not compile is looked at by the compiler, and every door stands under its own name', () => {
  const named = Object.entries(doors).flatMap(([key, door]) => (door === NOT_YET ? [] : [[key, door.name]]));
  expect(named.map(([key]) => key)).toEqual(named.map(([, name]) => name));
  expect(named.map(([key]) => key)).toEqual(['proxy', 'ssh', 'api', 'mcp', 'hook', 'seal']);
});

test('ports are what people and scripts know them by', () => {
  expect(Object.entries(PORTS).map(([name, { standard }]) => [name, standard])).toEqual([
    ['api', 7180],
    ['proxy', 7181],
    ['ssh', 7122],
    ['operator', 7183],
  ]);
});
