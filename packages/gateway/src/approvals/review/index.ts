export { ModelClient } from './model-client.ts';
export type { JudgeAnswer, JudgePort, Review, ReviewPort, ToolValidation } from './review.ts';
export { Reviewer } from './reviewer.ts';
export { SemanticJudge } from './semantic-judge.ts';
