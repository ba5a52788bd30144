import type { Action, CommandTarget } from '@sallyport/protocol';
import { classifyCli } from '../cli/index.ts';
import { createHttpClassifier, type HttpRequestHead, type ProviderEntry } from '../http/index.ts';
import { canonicalizePath } from '../paths/index.ts';
import { createShellAnalyzer } from '../shell/index.ts';
import type { ActionContext } from './action-context.ts';
import { buildHttpAction, type RequestBody } from './http-action.ts';
import { buildToolAction, type ToolCall } from './tool-action.ts';

/** Turns what came in at a door into an `Action`. All looking-up happens here; the gate only decides. */
export interface ActionBuilder {
  tool(call: ToolCall, context: ActionContext): Action;
  http(request: HttpRequestHead, body: RequestBody, context: ActionContext): Action;
}

/** Loads the parsers once; `providers` gives hosts another provider's classifier. */
export async function createActionBuilder(
  options: { readonly providers?: readonly ProviderEntry[] } = {},
): Promise<ActionBuilder> {
  const analyze = await createShellAnalyzer();
  const classifyHttp = createHttpClassifier({ providers: options.providers ?? [] });

  const readShell = (line: string, context: ActionContext): Pick<CommandTarget, 'commands' | 'unknown'> =>
    analyze(line, {
      cwd: context.cwd,
      home: context.home,
      confinement: context.actor.confinement,
      classifyCli,
      resolvePath: (given, cwd) => {
        const result = canonicalizePath(given, {
          cwd,
          home: context.home,
          ...(context.foldCase === undefined ? {} : { foldCase: context.foldCase }),
          ...(context.links === undefined ? {} : { links: context.links }),
        });
        if (result.kind === 'problem') throw new Error(result.problem.message);
        return result.real;
      },
    });

  return {
    tool: (call, context) => buildToolAction(call, context, { classifyHttp, readShell }),
    http: (request, body, context) => buildHttpAction(request, body, context, classifyHttp),
  };
}
