import { type EventType, type NewEvent, SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../../src/audit/index.ts';

/** A trail in memory that can be broken, to see what is refused then. */
export class RecordingTrail implements AuditTrail {
  readonly events: NewEvent[] = [];
  broken = false;

  async append(event: NewEvent): Promise<{ id: string; seq: number }> {
    // A turn later, as a real one: callers that do not wait are found out.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.broken) throw new SallyportError('AuditUnavailable');
    this.events.push(event);
    return { id: `evt_${this.events.length}`, seq: this.events.length };
  }

  note(event: NewEvent): void {
    this.events.push(event);
  }

  of(type: EventType): readonly NewEvent[] {
    return this.events.filter((event) => event.type === type);
  }
}
