/** Waits for a promise, but not longer than this, and not past the signal. The promise itself goes on. */
export function within<T>(
  promise: Promise<T>,
  limits: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly late: () => Error },
): Promise<T> {
  const { signal, timeoutMs, late } = limits;
  return new Promise((resolve, reject) => {
    const stop = (): void => settle(() => reject(signal.reason));
    const timer = setTimeout(() => settle(() => reject(late())), timeoutMs);
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      how();
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
