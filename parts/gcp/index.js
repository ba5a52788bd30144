export { GoogleAuth, Impersonated, JWT } from 'google-auth-library';
