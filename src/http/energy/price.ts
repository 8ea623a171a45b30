import { z } from 'zod/mini';
import { type FieldError, fieldError, validationFailed } from '#base/hub-error.ts';
import { KEEP_PRICES_MS } from '#core/energy/price-slots.ts';
import type { PriceSlot } from '#core/energy/tariff.ts';
import { described, named } from '#http/note/described.ts';

const moment = described('RFC 3339 with any offset.', z.iso.datetime({ offset: true }));

export const energyPricesSchema = named(
  'EnergyPrices',
  z.strictObject({
    tariff: z.string().check(z.minLength(1), z.maxLength(32)),
    slots: z
      .array(
        z.strictObject({
          from: moment,
          to: moment,
          price: described(
            'Per kWh or m³, in the currency of the tariff.',
            z.number().check(z.gte(-10_000), z.lte(10_000)),
          ),
        }),
      )
      .check(z.minLength(1), z.maxLength(1_000)),
  }),
);

const MAX_SLOT_MS = 31 * 86_400_000;

/** Throws VALIDATION_FAILED for slots without a length, overlapping ones, and those too far from now. */
export function readSlots({ slots }: z.infer<typeof energyPricesSchema>, nowMs: number): readonly PriceSlot[] {
  const errors: FieldError[] = [];
  const read = slots.map(({ from, to, price }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to), price }));
  for (const [index, { fromMs, toMs }] of read.entries()) {
    const pointer = `/slots/${index}`;
    if (toMs <= fromMs) errors.push(fieldError(`${pointer}/to`, 'INVALID_VALUE', 'is not after its beginning'));
    else if (toMs - fromMs > MAX_SLOT_MS)
      errors.push(fieldError(`${pointer}/to`, 'OUT_OF_RANGE', 'is more than 31 days later'));
    if (Math.abs(fromMs - nowMs) > KEEP_PRICES_MS) {
      errors.push(fieldError(`${pointer}/from`, 'OUT_OF_RANGE', 'is more than 62 days from now'));
    }
  }
  const order = [...read.entries()].toSorted(([, left], [, right]) => left.fromMs - right.fromMs);
  for (const [place, [index, { fromMs }]] of order.entries()) {
    const before = order[place - 1]?.[1];
    if (before === undefined || before.toMs <= fromMs) continue;
    errors.push(fieldError(`/slots/${index}/from`, 'INVALID_VALUE', 'is within another slot'));
  }
  if (errors.length > 0) throw validationFailed(errors);
  return read;
}
