import type { Finding } from '../finding.ts';
import type { Inference } from '../models/inference.ts';
import type { RequestView } from '../request-view.ts';

/** One provider's knowledge of its own operations. */
export interface Provider {
  /** `undefined`: the general rules by method decide. */
  readonly classify: (view: RequestView) => Finding | undefined;
  /** whether segments of its paths may hold an encoded slash: object names, scoped packages, project paths */
  readonly veiledPaths?: true;
  /** The request runs a model: what its body says decides. Asked before `classify`. */
  readonly inferenceOf?: (view: RequestView) => Inference | undefined;
  /** its API has no keys: nothing is lent, and the host is the person's own */
  readonly isKeyless?: true;
}
