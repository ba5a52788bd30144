export { type Authority, type AuthorityOptions, openAuthority } from './authority.ts';
export { caDoctorCheck } from './ca-doctor-check.ts';
export { caFacts } from './ca-facts.ts';
