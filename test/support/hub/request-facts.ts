import type { RequestFacts } from '#http/edge/request-facts.ts';

/** Facts of a GET by a peer of the LAN with these header fields, names and values in turn. */
export function factsOf(...rawHeaders: readonly string[]): RequestFacts {
  return {
    method: 'GET',
    target: '/api/v1/device',
    httpVersion: '1.1',
    rawHeaders,
    header: (name) => {
      const index = rawHeaders.findIndex((field, at) => at % 2 === 0 && field.toLowerCase() === name);
      return index === -1 ? undefined : rawHeaders[index + 1];
    },
    peer: '192.168.50.7',
  };
}
