import { isNumber, isText, oneOf, recordOf } from '#core/records/record-check.ts';

export const isPerson = recordOf({ id: isText, name: isText });

const SIGNER = { user: isPerson, via: recordOf({ type: oneOf(['session', 'api_token']), id: isText }) };
/** Whether JSON from a file is what the hub writes of somebody who signed. */
export const isSigner = recordOf(SIGNER);
export const isTimedSigner = recordOf({ ...SIGNER, signedAtMs: isNumber });
