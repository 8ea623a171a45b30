import { definePeerFaults, PeerRefusal } from '#integrations/peer/peer-fault.ts';

/** Why the hub cannot work with the server. */
export const { fault: serverFault, faultFrom: serverFaultFrom } = definePeerFaults({
  passing: {
    SERVER_UNREACHABLE: 'The Z-Wave JS server does not answer',
    SERVER_SILENT: 'The Z-Wave JS server no longer answers on an open connection',
    SERVER_RESTARTED: 'The driver of the Z-Wave JS server starts anew',
    BAD_ANSWER: 'What answers at this address does not speak as a Z-Wave JS server',
  },
  lasting: {
    OTHER_NETWORK: 'The server at this address has another Z-Wave network: set that one up, or correct the address',
    SERVER_TOO_OLD: 'The Z-Wave JS server is too old: update it',
    SERVER_TOO_NEW: 'The Z-Wave JS server is too new for this hub: update the hub',
  },
  unreachable: 'SERVER_UNREACHABLE',
});

/** `code` is the server's own word: `node_not_found`, `Controller_CallbackNOK`. */
export function serverRefusal(code: string): PeerRefusal {
  return new PeerRefusal(
    UNANSWERED.test(code) ? 'The device does not answer' : `The server refuses this (${code})`,
    code,
  );
}

const UNANSWERED = /^Controller_(CallbackNOK|NodeTimeout|MessageDropped|ResponseNOK|Timeout)$/;
