import { definePeerFaults, PeerRefusal } from '#integrations/peer/peer-fault.ts';
import { errors } from '#integrations/zwave/words/en.ts';

export const { fault: serverFault, faultFrom: serverFaultFrom } = definePeerFaults({
  messages: errors,
  lasting: ['OTHER_NETWORK', 'SERVER_TOO_OLD', 'SERVER_TOO_NEW'],
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
