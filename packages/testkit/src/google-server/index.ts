export { GoogleServer } from './google-server.ts';
