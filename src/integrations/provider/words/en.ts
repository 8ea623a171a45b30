/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Script',
    about: 'Devices that a script of your own brings in over the API, with an API token for its name.',
  },
  settings: {
    lease_s: { label: 'Seconds of silence until its devices are offline', hint: 'The script may set it, too' },
  },
} as const;
