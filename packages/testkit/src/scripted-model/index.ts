export { ScriptedModel, type ScriptedModelOptions } from './scripted-model.ts';
export type { ModelApi, ModelRequest, ScriptedToolCall, ScriptedTurn } from './turn.ts';
