import { frame } from '#integrations/words/en.ts';

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'Z-Wave JS',
    about: 'Z-Wave devices, through a Z-Wave JS server that has the radio stick.',
    help: [
      'Run Z-Wave JS UI, or the plain Z-Wave JS server, on the machine with the radio stick, and switch its WebSocket server on.',
      'That server has no password: everyone who reaches its port can open your locks. Let only the hub reach it, by a firewall or by running it on the machine of the hub.',
      'The hub finds the server, or takes its address.',
    ],
  },
  settings: {
    host: { label: 'Address of the server', hint: 'Such as 192.168.1.30:3000.' },
    take_rooms: { label: 'Put new devices into the rooms that the server has as their locations' },
  },
  steps: frame.steps,
  faults: {
    ...frame.faults,
    no_server: 'is not the address of a Z-Wave JS server',
    other_network: 'is the address of another Z-Wave network than the one found',
    too_old: 'is that of a server that is too old: update it',
    too_new: 'is that of a server that is too new for this hub: update the hub',
  },
} as const;

/** Why it does not work, by the code of the failure. */
export const errors = {
  SERVER_UNREACHABLE: 'The Z-Wave JS server does not answer',
  SERVER_SILENT: 'The Z-Wave JS server no longer answers on an open connection',
  SERVER_RESTARTED: 'The driver of the Z-Wave JS server starts anew',
  BAD_ANSWER: 'What answers at this address does not speak as a Z-Wave JS server',
  OTHER_NETWORK: 'The server at this address has another Z-Wave network: set that one up, or correct the address',
  SERVER_TOO_OLD: 'The Z-Wave JS server is too old: update it',
  SERVER_TOO_NEW: 'The Z-Wave JS server is too new for this hub: update the hub',
} as const;
