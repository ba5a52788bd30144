export { OauthServer, type OauthServerOptions } from './oauth-server.ts';
