import type { DeliveryErrorCode } from '#core/webhook/webhook.ts';

/** Why a request did not get through; `message` is for people. */
export class PostFailure extends Error {
  readonly code: DeliveryErrorCode;

  constructor(code: DeliveryErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PostFailure';
    this.code = code;
  }
}
