/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Simulated home',
    about: 'Devices without hardware, to try the hub.',
    pairingHint:
      'New devices appear a few seconds after the search starts. One of them fails at first, as real ones sometimes do.',
  },
} as const;
