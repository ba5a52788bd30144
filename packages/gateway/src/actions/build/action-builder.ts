import type { Action, Actor, ArgumentTarget, CommandTarget } from '@sallyport/protocol';
import { classifyCli } from '../cli/index.ts';
import { createHttpClassifier, type HttpClassifierOptions } from '../http/index.ts';
import { canonicalizePath } from '../paths/index.ts';
import { NOTHING } from '../places/index.ts';
import { type RepositoryAt, readRepository } from '../repository/index.ts';
import { currentSetting } from '../settings/current-setting.ts';
import { createShellAnalyzer } from '../shell/index.ts';
import type { ActionContext } from './action-context.ts';
import { createHttpBuilder, type HttpActionBuilder } from './http-builder.ts';
import { buildToolAction, type ToolCall } from './tool-action.ts';

/** Turns what came in at a door into an `Action`. All looking-up happens here; the gate only decides. */
export interface ActionBuilder extends HttpActionBuilder {
  tool(call: ToolCall, context: ActionContext): Action;
}

/** Makes a builder for one policy: its `providers` and telemetry hosts decide how requests are read. */
export type CreateBuilder = (options?: BuilderOptions) => ActionBuilder;

export interface BuilderOptions extends HttpClassifierOptions {
  /** arguments of a tool that the config names for the agents of an actor */
  readonly targetsOf?: (actor: Actor, tool: string) => readonly ArgumentTarget[];
}

/** Loads the shell parser once, for all builders. */
export async function loadActionBuilders(): Promise<CreateBuilder> {
  const analyze = await createShellAnalyzer();
  const readShell = (
    line: string,
    context: ActionContext,
  ): Pick<CommandTarget, 'commands' | 'unknown' | 'mentions'> =>
    analyze(line, {
      cwd: context.cwd,
      ...(context.isCwdReal === true ? { isCwdReal: true } : undefined),
      home: context.home,
      confinement: context.actor.confinement,
      classifyCli,
      resolvePath: (given, cwd) => resolvePath(given, cwd, context),
      workspace: context.workspace ?? NOTHING,
      // What a jailed command sends out is seen at the proxy, with the repository that it really goes to.
      ...(context.actor.confinement === 'jailed'
        ? undefined
        : {
            repositoryAt: repositoriesFor(context),
            settingOf: (program: string, cwd: string) => currentSetting(program, cwd, context.home),
          }),
    });

  return (options = {}) => {
    const classifyHttp = createHttpClassifier(options);
    const parts = { classifyHttp, readShell, targetsOf: options.targetsOf ?? (() => []) };
    return {
      tool: (call, context) => buildToolAction(call, context, parts),
      ...createHttpBuilder(options),
    };
  };
}

/** Looks once at each folder for one line. */
function repositoriesFor({ home }: ActionContext): RepositoryAt {
  const seen = new Map<string, ReturnType<RepositoryAt>>();
  return (folder) => {
    if (!seen.has(folder)) seen.set(folder, readRepository(folder, home));
    return seen.get(folder);
  };
}

/**
 * As a shell would: a tilde is the home. The shell reader takes the throw for "cannot be known", and hands over
 * folders that this very function has resolved.
 */
function resolvePath(given: string, cwd: string, context: ActionContext): string {
  const result = canonicalizePath(given, {
    cwd,
    fromCwd: true,
    home: context.home,
    foldCase: context.foldCase,
    links: context.links,
  });
  if (result.kind === 'problem') throw new Error(result.problem.message);
  return result.real;
}
