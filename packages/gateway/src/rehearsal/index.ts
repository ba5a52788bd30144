export { ConfigEdits } from './config-edits.ts';
export { type Period, PolicyQuestions, type PolicyQuestionsParts } from './policy-questions.ts';
export { type PolicyTestResult, PolicyTestSchema, runPolicyTest } from './policy-test.ts';
export { Rehearsal, type RehearsalQuestion } from './rehearse.ts';
export { Simulation } from './simulate.ts';
