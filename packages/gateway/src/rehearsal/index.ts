export { type DeskParts, PolicyDesk } from './desk.ts';
export { type PolicyTestResult, PolicyTestSchema, runPolicyTest } from './policy-test.ts';
export { Rehearsal, type RehearsalQuestion } from './rehearse.ts';
export { Simulation } from './simulate.ts';
