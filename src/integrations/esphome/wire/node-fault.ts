import { definePeerFaults } from '#integrations/peer/peer-fault.ts';

/** Why the hub cannot work with the node. */
export const { fault: nodeFault, faultFrom: nodeFaultFrom } = definePeerFaults({
  passing: {
    NODE_UNREACHABLE: 'The node does not answer',
    NODE_SILENT: 'The node no longer answers on an open connection',
    BAD_ANSWER: 'What answers at this address does not speak as an ESPHome node',
  },
  lasting: {
    OTHER_NODE: 'Another node answers at this address: set that one up, or correct the address',
    KEY_NEEDED: 'The node wants an encrypted connection: enter its key in the settings',
    KEY_REFUSED: 'The node has another key: enter the new one in the settings',
    NOT_ENCRYPTED:
      'The node does not encrypt although the hub has its key: take the key out of the settings if that is meant so',
    PASSWORD_NEEDED: 'The node has a password, which the hub does not use: give it an encryption key instead',
  },
  unreachable: 'NODE_UNREACHABLE',
});
