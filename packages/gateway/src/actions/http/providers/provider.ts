import type { Finding } from '../finding.ts';
import type { Inference } from '../models/inference.ts';
import type { RequestView } from '../request-view.ts';

/** What a provider knows about its own operations. */
export interface Classifier {
  /** `undefined`: the general rules by method decide. */
  readonly classify: (view: RequestView) => Finding | undefined;
  /** whether segments of its paths may hold an encoded slash: object names, scoped packages, project paths */
  readonly veiledPaths?: true;
  /** The request runs a model: what its body says decides. Asked before `classify`. */
  readonly inferenceOf?: (view: RequestView) => Inference | undefined;
  /**
   * Where it has models: on every host of it, or on some hosts, whatever provider the config gives them. What is sent
   * there may be read by a model, also where the body is not known to be inference.
   */
  readonly models?: 'every-host' | ((host: string) => boolean);
  /** its API has no keys: nothing is lent, and the host is the person's own */
  readonly isKeyless?: true;
}

/** All that the gateway knows about one provider. */
export interface Provider extends Classifier {
  /** for people: what it tells apart, in a few words */
  readonly docs: string;
  /** hosts that are its own without a word in the config: `host` or `*.host`; the most specific one counts */
  readonly hosts: readonly string[];
}
