export {
  ApprovalClient,
  type ApproveOptions,
  type ConnectOptions,
  type Consent,
  connect,
} from './approvals.ts';
export { type ClientOptions, type EnrollOptions, enroll, Sallyport } from './client.ts';
export { type Fetch, toError } from './http.ts';
