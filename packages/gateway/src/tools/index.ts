export { CommandSchema } from './command-tools.ts';
export { FILE_TOOLS, type FileTool, WRITE_BYTES } from './file-tools.ts';
export {
  findReadsPreset,
  parseReadsEntry,
  READS_PRESET_NAMES,
  readsPresetFor,
} from './mcp-reads/index.ts';
export type { ReadsPreset } from './mcp-reads/reads-preset.ts';
export {
  callFacts,
  findTool,
  isFamily,
  isKnownTool,
  shapeOf,
  TOOL_NAMES,
  TOOLS,
  type ToolName,
} from './registry.ts';
export {
  type CallFacts,
  LEVEL_CATEGORIES,
  type PatternKind,
  type TargetArgument,
  type ToolCategory,
  type ToolDefinition,
} from './tool-definition.ts';
