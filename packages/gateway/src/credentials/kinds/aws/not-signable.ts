import { SallyportError } from '@sallyport/protocol';

/** For the agent: what is wrong with its request. Never holds anything of the credential. */
export function notSignable(message: string, hint?: string): SallyportError {
  return new SallyportError('RequestNotSignable', { message, ...(hint === undefined ? {} : { hint }) });
}
