import { WorkerError } from './worker-error.ts';

/** What the launcher hands over: the answer of `POST /v1/seal/workloads`, and where the gateway is. */
export interface Workload {
  /** `http://127.0.0.1:7180` inside a jail */
  readonly gateway: string;
  readonly workload_id: string;
  readonly attestation_secret: string;
  readonly execution_id: string;
  readonly gateway_public_key: string;
}

const FIELDS = [
  'gateway',
  'workload_id',
  'attestation_secret',
  'execution_id',
  'gateway_public_key',
] as const;

/** Reads it from JSON; fields that a worker does not need may be there too. Throws `BadStart`. */
export function parseWorkload(text: string): Workload {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WorkerError('BadStart', 'the workload is not JSON');
  }
  const given: Readonly<Record<string, unknown>> = { ...(typeof value === 'object' ? value : {}) };
  const [gateway, id, secret, execution, key] = FIELDS.map((name) => {
    const field = given[name];
    if (typeof field === 'string' && field !== '') return field;
    throw new WorkerError('BadStart', `the workload has no \`${name}\``);
  });
  return {
    gateway: String(gateway),
    workload_id: String(id),
    attestation_secret: String(secret),
    execution_id: String(execution),
    gateway_public_key: String(key),
  };
}
