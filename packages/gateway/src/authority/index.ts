export { type Authority, openAuthority } from './authority.ts';
export { caDoctorCheck } from './ca-doctor-check.ts';
export { caFacts, rotateCaFiles } from './ca-files.ts';
export { openSshHostKey, type SshHostKey } from './ssh-host-key.ts';
