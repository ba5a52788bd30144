/** How long a receiver may take to answer, in `ms` */
const TIMEOUT_MS = 10_000;

/** Posts a body and throws unless the answer is a success. The answer's body is not read: it is not ours to keep. */
export async function httpPost(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    // A redirect could lead the trail to another host.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
}
