import { z } from 'zod';
import { LEVEL_CATEGORIES } from '../../tools/index.ts';

const levelName = z.enum(['sandboxed', 'restricted', 'standard', 'elevated', 'custom']);

const category = z.enum(LEVEL_CATEGORIES);

/** The dimensions of an access level. What is left out is taken from the level that is being changed. */
const dimensions = {
  categories: z.array(category).optional().describe('categories of tools that the level reaches'),
  file_system: z
    .enum(['workspace_only', 'project_directory', 'full'])
    .optional()
    .describe('which files may be touched'),
  code_execution: z
    .enum(['none', 'containerized', 'full'])
    .optional()
    .describe('containerized: code runs only in a jailed session'),
  network: z
    .enum(['none', 'allowlist_only', 'open'])
    .optional()
    .describe('allowlist_only: hosts that a network rule allows by name'),
  git: z
    .enum(['local_only', 'read_and_branch', 'full'])
    .optional()
    .describe('local_only: no remote; read_and_branch: no push'),
  terminal: z
    .enum(['none', 'restricted_commands', 'full'])
    .optional()
    .describe('restricted_commands: the programs of the list in docs/config.md'),
  deployment: z.boolean().optional().describe('whether `deploy:*` is within reach without approval'),
  requires_approval: z
    .array(z.enum(['deployment', 'database_write']))
    .optional()
    .describe('what is within reach after a person agreed'),
};

export const toolAccessSchema = z
  .strictObject({
    levels: z
      .partialRecord(
        levelName,
        z.strictObject({
          description: z.string().max(500).optional().describe('shown where the level decides'),
          ...dimensions,
        }),
      )
      .default({})
      .describe('changes to the built-in access levels'),
  })
  .describe('access levels for the whole gateway');

export const agentLevelSchema = z
  .union([levelName, z.strictObject({ base: levelName.describe('level to start from'), ...dimensions })])
  .describe('access level of the agent, or a level with changes; absent means no limit by level');
