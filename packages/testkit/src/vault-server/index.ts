export { VaultServer } from './vault-server.ts';
