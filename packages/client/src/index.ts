export { type ClientOptions, type EnrollOptions, enroll, Sallyport } from './client.ts';
export { type Fetch, toError } from './http.ts';
