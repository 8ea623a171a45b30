import { definePeerFaults } from '#integrations/peer/peer-fault.ts';

/** Why the hub cannot work with the device. */
export const { fault: deviceFault, faultFrom: deviceFaultFrom } = definePeerFaults({
  passing: {
    DEVICE_UNREACHABLE: 'The device does not answer',
    DEVICE_SILENT: 'The device no longer answers on an open connection',
    BAD_ANSWER: 'What answers at this address does not speak as a Shelly device',
    DEVICE_OVERDUE: 'The device has not called for longer than it usually sleeps',
  },
  lasting: {
    OTHER_DEVICE: 'Another device answers at this address: set that one up, or correct the address',
    PASSWORD_NEEDED: 'The device has a password: enter it in the settings',
    PASSWORD_REFUSED: 'The device refuses the password: correct it in the settings',
    PASSWORD_NOT_ASKED:
      'What calls as this device asks for no password, though one is set: it is another, or its password was taken off',
    OTHER_ADDRESS:
      'What calls as this device has another address than the one in the settings: correct it if it has moved',
  },
  unreachable: 'DEVICE_UNREACHABLE',
});
