import type { Action, Verdict } from '@sallyport/protocol';
import { finishAction } from '../../src/actions/index.ts';
import { HttpExecutor, type HttpJob } from '../../src/executors/index.ts';
import type { OutgoingRequest } from '../../src/shared/http-message.ts';
import { issuePermit } from '../../src/shared/permit.ts';
import { BrokerFixture } from '../credentials/broker-fixture.ts';
import { Ear, get, openEgress, type Told } from '../egress/egress-fixture.ts';

export const VALUE = 'tok_4f/Zq+8Lw9-Rt%41~k2';

/** An executor over the real broker and the real way out; every name leads to this machine. */
export async function openExecutor(): Promise<Executing> {
  const lending = await BrokerFixture.open({
    agents: { dev: ['api'], ops: ['api'] },
    tenant:
      'credentials: { api: { kind: bearer, source: "file:token", hosts: [api.example.com], plain_http: true } }',
  });
  lending.write('token', VALUE);
  return new Executing(lending);
}

export class Executing implements AsyncDisposable {
  readonly lending: BrokerFixture;
  readonly egress = openEgress();
  readonly ended: (() => void)[] = [];
  readonly executor: HttpExecutor;

  constructor(lending: BrokerFixture) {
    this.lending = lending;
    this.executor = new HttpExecutor({
      egress: this.egress,
      broker: lending.broker,
      trail: lending.trail,
      onSessionEnded: (_session, listener) => void this.ended.push(listener),
    });
  }

  /** A job with a verdict that looks like the gate's; `admitted` makes it one. */
  job(request: OutgoingRequest, over: Partial<HttpJob> = {}): HttpJob {
    const session = this.lending.sessions.get('sess_dev');
    if (session === undefined) throw new Error('no session');
    const verdict: Verdict = { kind: 'allow', by: 'policy', opinions: [] };
    return {
      action: actionOf(request, 'api'),
      verdict,
      record: { add: (event) => this.lending.trail.note(event) },
      request,
      credential: 'api',
      session,
      signal: new AbortController().signal,
      preferH2: false,
      ...over,
    };
  }

  admitted(request: OutgoingRequest, over: Partial<HttpJob> = {}): HttpJob {
    const job = this.job(request, over);
    issuePermit(job.verdict, job.action);
    return job;
  }

  /** Sends as the gate would have allowed it, and waits for the end. */
  async ask(port: number, over: Partial<OutgoingRequest> = {}, job: Partial<HttpJob> = {}): Promise<Told> {
    const ear = new Ear();
    this.executor.send(this.admitted(get(port, over), job), ear);
    return ear.whole;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.egress.close();
  }
}

export function actionOf(
  request: OutgoingRequest,
  credential: string | undefined,
  session = 'sess_dev',
): Action {
  const { scheme, host, port, method, target, tenant } = request;
  return finishAction(
    {
      door: 'proxy',
      actor: { tenant, user: 'ana', agent: 'dev', session, chain: ['dev'], confinement: 'jailed' },
      tool: 'http',
      type: 'network:read' as Action['type'],
      effect: 'read',
      reach: 'remote',
      risk: 'low',
      target: {
        ...(credential === undefined ? {} : { credential }),
        kind: 'http',
        scheme,
        host,
        port,
        method,
        path: target,
        queryKeys: [],
      },
      input: { method, url: `${scheme}://${host}:${port}${target}` },
      preview: '',
    },
    () => ({}),
  );
}
