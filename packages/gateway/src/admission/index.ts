export { type ApprovalServices, openApprovalServices } from './approval-services.ts';
export { type GateServices, openGateServices } from './gate-services.ts';
export { openPolicyQuestions, type PolicyTestReport, testPolicyFile } from './offline-policy.ts';
export { loadPolicyParts, type PolicyParts } from './policy-parts.ts';
