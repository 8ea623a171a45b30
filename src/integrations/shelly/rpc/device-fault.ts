import { definePeerFaults } from '#integrations/peer/peer-fault.ts';
import { errors } from '#integrations/shelly/words/en.ts';

export const { fault: deviceFault, faultFrom: deviceFaultFrom } = definePeerFaults({
  messages: errors,
  lasting: ['OTHER_DEVICE', 'PASSWORD_NEEDED', 'PASSWORD_REFUSED', 'PASSWORD_NOT_ASKED', 'OTHER_ADDRESS'],
  unreachable: 'DEVICE_UNREACHABLE',
});
