export { CommandSchema } from './command-tools.ts';
export { FILE_TOOLS, type FileTool, WRITE_BYTES } from './file-tools.ts';
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
