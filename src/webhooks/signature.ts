import { createHmac } from 'node:crypto';

/**
 * The value of `Hearthd-Signature`: `t=<unix seconds>,v1=<hex>`, HMAC-SHA256 over `<t>.<body>` with the whole text of
 * the secret as its key. The time is under the signature too, so that a receiver can refuse what was recorded.
 */
export function signDelivery(secret: string, body: Buffer, wallMs: number): string {
  const seconds = Math.floor(wallMs / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
