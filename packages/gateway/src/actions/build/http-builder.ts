import type { Action } from '@sallyport/protocol';
import {
  classifyHttp,
  compileHttpTables,
  type HttpClassifier,
  type HttpClassifierOptions,
  type HttpRequestHead,
  wantsOutline,
} from '../http/index.ts';
import type { ActionContext } from './action-context.ts';
import { buildHttpAction, type RequestBody } from './http-action.ts';

/** Turns requests into actions. It needs nothing that must be loaded first. */
export interface HttpActionBuilder {
  http(request: HttpRequestHead, body: RequestBody, context: ActionContext): Action;
  /** Whether the whole of a JSON body must be seen, however long it is: see `readOutline`. */
  wantsOutline(request: HttpRequestHead): boolean;
  /** Whether a request that this builder built is known telemetry: refused without a question. */
  isQuiet(action: Action): boolean;
}

/** For one policy: its `providers` and telemetry hosts decide how requests are read. */
export function createHttpBuilder(options: HttpClassifierOptions = {}): HttpActionBuilder {
  const tables = compileHttpTables(options);
  const quiet = new WeakSet<Action>();
  let isQuiet = false;
  const classifyAndTell: HttpClassifier = (request, credential) => {
    const classification = classifyHttp(request, tables, credential);
    isQuiet = classification.quiet === true;
    return classification;
  };
  return {
    http(request, body, context) {
      const action = buildHttpAction(request, body, context, classifyAndTell);
      if (isQuiet) quiet.add(action);
      return action;
    },
    wantsOutline: (request) => wantsOutline(request, tables),
    isQuiet: (action) => quiet.has(action),
  };
}
