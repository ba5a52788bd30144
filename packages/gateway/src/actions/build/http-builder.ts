import type { Action } from '@sallyport/protocol';
import {
  classifyHttp,
  compileHttpTables,
  type HttpClassifierOptions,
  type HttpRequestHead,
  wantsOutline,
} from '../http/index.ts';
import type { ActionContext } from './action-context.ts';
import { buildHttpAction, lentFor, type RequestBody } from './http-action.ts';

/** Turns requests into actions. It needs nothing that must be loaded first. */
export interface HttpActionBuilder {
  http(request: HttpRequestHead, body: RequestBody, context: ActionContext): BuiltRequest;
  /** Whether the whole of a JSON body must be seen, however long it is: see `readOutline`. */
  wantsOutline(request: HttpRequestHead): boolean;
}

export interface BuiltRequest {
  readonly action: Action;
  /** known telemetry: refused without a question */
  readonly isQuiet: boolean;
}

/** For one policy: its `providers` and telemetry hosts decide how requests are read. */
export function createHttpBuilder(options: HttpClassifierOptions = {}): HttpActionBuilder {
  const tables = compileHttpTables(options);
  return {
    http(request, body, context) {
      const classification = classifyHttp(request, tables, lentFor(context));
      const action = buildHttpAction(request, body, context, classification);
      return { action, isQuiet: classification.quiet === true };
    },
    wantsOutline: (request) => wantsOutline(request, tables),
  };
}
