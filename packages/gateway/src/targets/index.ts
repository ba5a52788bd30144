export { domainsOf, factsOf, hostsOf, isKnownTarget, operationsOf, pathsOf } from './facts.ts';
export type { Operation } from './operation.ts';
export { guardedOf, lineOf, ownCredentialsOf, requestOf, secretsOf, staysHere } from './quick-facts.ts';
export type { LineFact, RequestFact } from './target-definition.ts';
