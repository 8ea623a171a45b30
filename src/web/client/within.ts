/**
 * Runs a request that is given up after a while. The page would wait for ever otherwise: for a hub that hangs, for one
 * that lost power in the middle of an answer, or for one of the few connections that a browser has. Fails as it
 * would without a network.
 */
export async function within<Value>(ms: number, request: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TypeError(`the hub did not answer within ${ms} ms`));
      end.abort();
    }, ms);
  });
  try {
    // Also ends the wait for what ignores the signal, such as a token renewal that others await too.
    return await Promise.race([request(end.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
