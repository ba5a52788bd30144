export { type Authority, type AuthorityOptions, openAuthority } from './authority.ts';
export { caDoctorCheck } from './ca-doctor-check.ts';
export { caFacts } from './ca-facts.ts';
export { type CaFiles, replaceCaFiles } from './ca-files.ts';
