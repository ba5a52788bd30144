import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@sallyport/client';
import { type ApprovalDetail, forEachPort, SallyportError } from '@sallyport/protocol';
import { decide, findApproval } from '../approvals/decide.ts';
import { OperatorClient } from '../operator-client.ts';

/** How long somebody may take to find their phone, in seconds */
const LONGEST_SECONDS = 600;

export interface TrialOptions {
  /** text of a config: people, and the channel that is tried */
  readonly config: string;
  /** with the secrets that the config names: they are in memory alone */
  readonly env: NodeJS.ProcessEnv;
  /** called for a question in the terminal; true: yes */
  readonly answer?: (question: ApprovalDetail) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Asks one real question on the way that was set up, and waits for its answer: a whole gateway, on free ports, in a home of
 * its own that is gone afterwards. Says how it was answered; rejects when nobody did.
 */
export async function askTestQuestion(options: TrialOptions): Promise<'approved' | 'denied'> {
  const home = mkdtempSync(join(tmpdir(), 'sallyport-setup-'));
  const { startGateway } = await import('@sallyport/gateway');
  const problems: string[] = [];
  try {
    writeFileSync(join(home, 'sallyport.yaml'), options.config, { mode: 0o600 });
    const { SALLYPORT_HOME: _home, SALLYPORT_CONFIG: _config, ...env } = options.env;
    const gateway = await startGateway({
      ...{ home, env, ownsProcess: false, ports: forEachPort(() => 0) },
      log: { write: (line) => void problems.push(...problemIn(line)) },
    });
    try {
      return await ask(options, home, gateway.urls.api, gateway.home.operatorSocket, problems);
    } finally {
      await gateway.close();
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function ask(
  { answer, signal }: TrialOptions,
  home: string,
  url: string,
  socketPath: string,
  problems: readonly string[],
): Promise<'approved' | 'denied'> {
  const secret = (name: string): string => readFileSync(join(home, name), 'utf8').trim();
  const client = connect({ apiKey: secret('api.key'), url });
  const { approval_id: id } = await client.ask(
    {
      session_id: 'setup',
      action_type: 'comms:internal',
      title: 'A test question of sallyport setup',
      preview: 'Nothing happens, whatever you answer.\nThis is how you will be asked from now on.',
      expires_in_sec: LONGEST_SECONDS,
    },
    { signal },
  );
  if (answer !== undefined) {
    const operator = new OperatorClient({ socketPath, token: secret('operator.token') });
    const question = await findApproval(operator, id);
    await decide(operator, question, { code: (await answer(question)) ? '1' : '3' });
  }
  const { status } = await client.answerTo(id, { signal });
  if (status === 'approved' || status === 'denied') return status;
  throw new SallyportError('Unavailable', {
    message: `nobody answered the test question${problems.length === 0 ? '' : `: ${problems.at(-1)}`}`,
    hint: 'look whether it arrived, and at who may answer it',
  });
}

function problemIn(line: string): readonly string[] {
  const message = /"level":"(?:warn|error)".*"message":"([^"]{1,200})"/.exec(line)?.[1];
  return message === undefined ? [] : [message];
}
