/** Why the hub cannot work with the device. The message is for people and has no period at its end. */
export class ShellyError extends Error {
  readonly code: ShellyErrorCode;

  constructor(code: ShellyErrorCode, options: { cause?: unknown } = {}) {
    super(SHELLY_ERRORS[code], options);
    this.name = 'ShellyError';
    this.code = code;
  }
}

const SHELLY_ERRORS = {
  DEVICE_UNREACHABLE: 'The device does not answer',
  DEVICE_SILENT: 'The device no longer answers on an open connection',
  BAD_ANSWER: 'What answers at this address does not speak as a Shelly device',
  OTHER_DEVICE: 'Another device answers at this address: set that one up, or correct the address',
  PASSWORD_NEEDED: 'The device has a password: enter it in the settings',
  PASSWORD_REFUSED: 'The device refuses the password: correct it in the settings',
  PASSWORD_NOT_ASKED:
    'What calls as this device asks for no password, though one is set: it is another, or its password was taken off',
  OTHER_ADDRESS:
    'What calls as this device has another address than the one in the settings: correct it if it has moved',
  DEVICE_OVERDUE: 'The device has not called for longer than it usually sleeps',
} as const;

type ShellyErrorCode = keyof typeof SHELLY_ERRORS;

/** Faults that only a person can mend. */
export const NEEDS_ACTION: ReadonlySet<string> = new Set<ShellyErrorCode>([
  'OTHER_DEVICE',
  'PASSWORD_NEEDED',
  'PASSWORD_REFUSED',
  'PASSWORD_NOT_ASKED',
  'OTHER_ADDRESS',
]);

/** The device understood a request and says no. `code` is its own: -103 for an argument, 404 for a method. */
export class RpcRefusal extends Error {
  readonly code: number;

  constructor(method: string, code: number) {
    super(`The device refused ${method} (${code})`);
    this.name = 'RpcRefusal';
    this.code = code;
  }
}
