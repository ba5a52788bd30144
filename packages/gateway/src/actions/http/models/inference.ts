import type { OutlineMembers } from '../../../shared/json-outline.ts';
import { type Finding, read, write } from '../finding.ts';
import type { RequestView } from '../request-view.ts';
import type { Check } from './check.ts';

/** A request that runs a model. */
export interface Inference {
  /** the provider's name of it: `POST /v1/messages` */
  readonly operation: string;
  /** what may stand in its body */
  readonly check: Check;
  /** the host is the provider's own, although a pattern names it: a region of a cloud */
  readonly isOwnHost?: true;
}

/** Where a request that runs a model goes, and with what. */
export interface InferencePlace {
  /** no customer has a name below it */
  readonly isFixed: boolean;
  /** a credential of ours goes with it, or the API has none */
  readonly isLent: boolean;
}

// Versions, and how the answer shall be written.
const QUERY: ReadonlySet<string> = new Set(['beta', 'api-version', 'alt', '$alt', 'prettyPrint', 'key']);

/**
 * Inference is a read at a provider's own host, with a credential that we lend, when all of its body is here and nothing
 * in it makes the provider act, fetch or keep. Everything else that runs a model is a write [NE-11].
 */
export function classifyInference(view: RequestView, inference: Inference, place: InferencePlace): Finding {
  const problem = problemWith(view, inference, place);
  return problem === undefined
    ? read(inference.operation, 'custom:inference')
    : write(`${inference.operation}: ${problem}`);
}

function problemWith(
  view: RequestView,
  { check, isOwnHost }: Inference,
  { isFixed, isLent }: InferencePlace,
): string | undefined {
  if (!isFixed && isOwnHost !== true) return 'a host that anyone can have';
  if (!isLent) return 'no credential is lent';
  for (const name of new URLSearchParams(view.target.query).keys())
    if (!QUERY.has(name)) return 'a parameter that is not known';
  const body: OutlineMembers | undefined = view.outline();
  return body === undefined ? 'a body that cannot be read' : check(body);
}
