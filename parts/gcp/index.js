export { GoogleAuth, gaxios, JWT } from 'google-auth-library';
