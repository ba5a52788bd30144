export { type DeskParts, PolicyDesk } from './desk.ts';
export { type PolicyTest, type PolicyTestResult, PolicyTestSchema, runPolicyTest } from './policy-test.ts';
export { Rehearsal, type RehearsalQuestion, type Rehearsed } from './rehearse.ts';
export { DECISION_EVENTS, type Difference, Simulation, type SimulationSummary } from './simulate.ts';
