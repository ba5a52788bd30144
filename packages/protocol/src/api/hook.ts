import { z } from 'zod';

/** Clients whose hooks the gateway answers. */
export const HOOK_CLIENTS = ['claude-code', 'codex', 'pi'] as const;
export type HookClient = (typeof HOOK_CLIENTS)[number];

/** The longest that a hook may wait for people, in seconds. */
const LONGEST_HOOK_WAIT_SECONDS = 86_400;

/** `POST /v1/hooks/CLIENT` on the agent side: what the client's hook was handed, as it was. */
export const HookCallSchema = z.strictObject({
  event: z.unknown().describe("the JSON that the client gave its hook, in the client's own form"),
  home: z.string().max(4096).optional().describe('home of whoever will run the tool, which `~` means'),
  temporary: z
    .string()
    .max(4096)
    .optional()
    .describe('folder of temporary files, which count as the workspace'),
  wait_seconds: z
    .int()
    .min(0)
    .max(LONGEST_HOOK_WAIT_SECONDS)
    .default(0)
    .describe('how long the client waits for an answer; people are asked for no longer than that'),
});

/** The answer to a hook. `output` is what the hook prints: the client's own form. */
export const HookAnswerSchema = z.strictObject({
  decision: z
    .enum(['allow', 'deny', 'pass'])
    .describe("`pass`: no objection, and the client's own questions are left to it"),
  code: z.string().optional().describe('why not, as a stable code'),
  reason: z.string().optional(),
  approval_id: z.string().optional().describe('the question that people were asked'),
  output: z.record(z.string(), z.unknown()).nullable().describe("in the client's own form; null: nothing"),
});
export type HookAnswer = z.infer<typeof HookAnswerSchema>;
