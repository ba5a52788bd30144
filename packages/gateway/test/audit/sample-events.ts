import type { NewEvent } from '@sallyport/protocol';

/** An event like the gate's, the nth one. */
export function judged(n: number, over: Partial<NewEvent> = {}): NewEvent {
  return {
    tenant: 'default',
    type: 'ActionEvent::Judged',
    action_id: `act_${String(n).padStart(26, '0')}`,
    actor: { kind: 'agent', tenant: 'default', agent: 'helper', chain: ['helper'], confinement: 'jailed' },
    data: { tool: 'http', effect: 'read', path: `/things/${n}`, note: 'ünïcödé \ufffd "quoted"' },
    ...over,
  };
}
