import type { Action, CommandTarget } from '@sallyport/protocol';
import { classifyCli } from '../cli/index.ts';
import { createHttpClassifier, type HttpClassifierOptions, type HttpRequestHead } from '../http/index.ts';
import { canonicalizePath } from '../paths/index.ts';
import { createShellAnalyzer } from '../shell/index.ts';
import type { ActionContext } from './action-context.ts';
import { buildHttpAction, type RequestBody } from './http-action.ts';
import { buildToolAction, type ToolCall } from './tool-action.ts';

/** Turns what came in at a door into an `Action`. All looking-up happens here; the gate only decides. */
export interface ActionBuilder {
  tool(call: ToolCall, context: ActionContext): Action;
  http(request: HttpRequestHead, body: RequestBody, context: ActionContext): Action;
  /** Whether a request that this builder built is known telemetry: refused without a question. */
  isQuiet(action: Action): boolean;
}

/** Makes a builder for one policy: its `providers` and telemetry hosts decide how requests are read. */
export type CreateBuilder = (options?: HttpClassifierOptions) => ActionBuilder;

/** Loads the shell parser once, for all builders. */
export async function loadActionBuilders(): Promise<CreateBuilder> {
  const analyze = await createShellAnalyzer();
  const readShell = (line: string, context: ActionContext): Pick<CommandTarget, 'commands' | 'unknown'> =>
    analyze(line, {
      cwd: context.cwd,
      home: context.home,
      confinement: context.actor.confinement,
      classifyCli,
      resolvePath: (given, cwd) => resolvePath(given, cwd, context),
    });

  return (options = {}) => {
    const classifyHttp = createHttpClassifier(options);
    const quiet = new WeakSet<Action>();
    let isQuiet = false;
    const classifyAndTell: typeof classifyHttp = (request) => {
      const classification = classifyHttp(request);
      isQuiet = classification.quiet === true;
      return classification;
    };
    return {
      tool: (call, context) => buildToolAction(call, context, { classifyHttp, readShell }),
      http(request, body, context) {
        const action = buildHttpAction(request, body, context, classifyAndTell);
        if (isQuiet) quiet.add(action);
        return action;
      },
      isQuiet: (action) => quiet.has(action),
    };
  };
}

/** As a shell would: a tilde is the home. The shell reader takes the throw for "cannot be known". */
function resolvePath(given: string, cwd: string, context: ActionContext): string {
  const result = canonicalizePath(given, {
    cwd,
    home: context.home,
    foldCase: context.foldCase,
    links: context.links,
  });
  if (result.kind === 'problem') throw new Error(result.problem.message);
  return result.real;
}
