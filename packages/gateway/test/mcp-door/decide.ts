import { type TestGateway, waitFor } from '@sallyport/testkit';

interface Pending {
  readonly id: string;
  readonly preview: string;
  readonly tool?: string;
}

/** The one question that waits for people. */
export async function pendingQuestion(gateway: TestGateway): Promise<Pending> {
  return waitFor('exactly one question', async () => {
    const answer = await gateway.operator('/v1/approvals?status=pending');
    const [first, ...others] = answer.json<{ items: readonly Pending[] }>().items;
    if (first === undefined || others.length > 0) throw new Error(`${others.length + 1} questions`);
    return first;
  });
}

export async function decide(gateway: TestGateway, id: string, decision: object): Promise<void> {
  const answer = await gateway.operator(`/v1/approvals/${id}/decision`, { json: decision });
  if (answer.status !== 200) throw new Error(`not decided: ${answer.text}`);
}

interface TrailEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Events of the trail whose data name this tool, oldest first. */
export async function eventsOf(gateway: TestGateway, tool: string): Promise<readonly TrailEvent[]> {
  const answer = await gateway.operator('/v1/audit/events?limit=100');
  const { items } = answer.json<{ items: readonly TrailEvent[] }>();
  return items.filter(({ data }) => data.tool === tool).toReversed();
}
