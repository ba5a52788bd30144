import type { LanguageModel } from 'ai';
import type { GatekeeperConfig } from '../../config/index.ts';
import type { Secret } from '../../shared/secret.ts';
import type { ModelTask } from './answers.ts';
import { limitedFetch } from './limited-fetch.ts';

/** What is read of the SDK's answer; `output` throws when there is none. */
interface Generated {
  readonly finishReason: string;
  readonly output: unknown;
}

const ANTHROPIC_URL = 'https://api.anthropic.com/v1';

export interface ModelClientParts {
  /** reads `env:…`, `file:…` at each call, so that a changed key holds at once */
  readonly readSecret: (reference: string) => Promise<Secret>;
  /** for tests: where the SDK comes from */
  readonly load?: () => Promise<ModelSdk>;
}

export interface ModelCall {
  readonly settings: GatekeeperConfig;
  /** `provider:name`, of the provider of the settings */
  readonly model: string;
  readonly task: ModelTask;
  /** JSON text */
  readonly data: string;
  readonly signal: AbortSignal;
}

/** Why a model gave no answer, in words for the trail: nothing of what the service wrote is in it. */
export class ModelFailure extends Error {}

/** Asks a model through the `ai` SDK. The SDK is loaded at the first call. */
export class ModelClient {
  readonly #parts: ModelClientParts;

  constructor(parts: ModelClientParts) {
    this.#parts = parts;
  }

  /** The model's answer, parsed from JSON and not checked. Rejects with `ModelFailure` when it gave none. */
  async ask({ settings, model, task, data, signal }: ModelCall): Promise<unknown> {
    const sdk = await this.#load();
    const language = await this.#model(sdk, settings, model);
    let generated: Generated;
    try {
      generated = await sdk.generateText({
        model: language,
        instructions: task.instructions,
        prompt: data,
        output: sdk.Output.object({ schema: sdk.jsonSchema(task.schema), name: task.name }),
        maxOutputTokens: settings.budget_tokens,
        // The time is ours to spend: a person is there who can be asked instead.
        maxRetries: 0,
        abortSignal: signal,
        telemetry: { isEnabled: false },
      });
    } catch (error) {
      throw new ModelFailure(describe(error, signal));
    }
    // SECURITY: the SDK takes what a refusal, or an answer that was cut off, happens to say for an answer.
    if (generated.finishReason !== 'stop')
      throw new ModelFailure(`the model did not finish (${generated.finishReason})`);
    return outputOf(generated);
  }

  async #load(): Promise<ModelSdk> {
    try {
      return await (this.#parts.load ?? loadModelSdk)();
    } catch {
      throw new ModelFailure('the SDK cannot be loaded');
    }
  }

  async #model(sdk: ModelSdk, settings: GatekeeperConfig, model: string): Promise<LanguageModel> {
    const { provider, name } = splitModel(model);
    let apiKey: string | undefined;
    try {
      const secret =
        settings.api_key === undefined ? undefined : await this.#parts.readSecret(settings.api_key);
      apiKey = secret?.reveal();
    } catch {
      throw new ModelFailure('the API key cannot be read');
    }
    // Everything is named: what is left out the SDK would take from the environment of the process.
    const options = {
      baseURL: settings.base_url ?? ANTHROPIC_URL,
      fetch: limitedFetch,
      ...(apiKey === undefined ? {} : { apiKey }),
    };
    if (provider === 'anthropic') return sdk.createAnthropic({ apiKey: '', ...options })(name);
    return sdk.createOpenAICompatible({
      ...options,
      name: 'openaiCompatible',
      supportsStructuredOutputs: true,
    })(name);
  }
}

/** `anthropic:claude-haiku-4-5` in its two parts; the name may hold `:` itself. */
function splitModel(model: string): { readonly provider: string; readonly name: string } {
  const border = model.indexOf(':');
  return { provider: model.slice(0, border), name: model.slice(border + 1) };
}

function outputOf(generated: Generated): unknown {
  try {
    return generated.output;
  } catch {
    throw new ModelFailure('the model gave no answer');
  }
}

/** SECURITY: a service's own words may quote the request, so that only their kind is kept. */
function describe(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'the model took too long, or the caller left';
  const name = error instanceof Error ? error.name : '';
  if (name === 'AI_NoObjectGeneratedError') return 'the answer of the model is not what was asked for';
  if (name !== 'AI_APICallError') return 'the model could not be asked';
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return status === undefined ? 'the model cannot be reached' : `the model's API answered ${String(status)}`;
}

/** The `ai` SDK and its providers; loaded with the first question to a model. */
export async function loadModelSdk() {
  const [{ generateText, jsonSchema, Output }, { createAnthropic }, { createOpenAICompatible }] =
    await Promise.all([import('ai'), import('@ai-sdk/anthropic'), import('@ai-sdk/openai-compatible')]);
  // The SDK's only switch for it: its warnings would go to standard error, past the log and its redaction.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return { generateText, jsonSchema, Output, createAnthropic, createOpenAICompatible };
}

export type ModelSdk = Awaited<ReturnType<typeof loadModelSdk>>;
