import { definePeerFaults } from '#integrations/peer/peer-fault.ts';
import { errors } from '#integrations/esphome/words/en.ts';

export const { fault: nodeFault, faultFrom: nodeFaultFrom } = definePeerFaults({
  messages: errors,
  lasting: ['OTHER_NODE', 'KEY_NEEDED', 'KEY_REFUSED', 'NOT_ENCRYPTED', 'PASSWORD_NEEDED'],
  unreachable: 'NODE_UNREACHABLE',
});
