import type { JsonValue } from '#base/json.ts';
import { isVisibleName } from '#core/person/user.ts';

const MAX_NAME = 100;

/** One visible line of text for people, cut to a length; `null` if there is nothing to see. */
export function readName(value: JsonValue | undefined, maxLength = MAX_NAME): string | null {
  if (typeof value !== 'string') return null;
  // Cut first, so that a long text costs no more than a short one.
  const text = value
    .slice(0, maxLength * 2)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim();
  const cut = Array.from(text).slice(0, maxLength).join('').trim();
  return isVisibleName(cut) ? cut : null;
}
