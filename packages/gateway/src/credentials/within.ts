import { SallyportError } from '@sallyport/protocol';

/** What a promise gives, unless the signal aborts first: then `SecretUnreadable`. */
export async function within<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const onAbort = (): void =>
    late.reject(new SallyportError('SecretUnreadable', { message: 'it did not answer in time' }));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
