import { isSameJson, type JsonValue } from '#base/json.ts';
import type { Cause } from '#core/cause/cause.ts';

/** A feature that a hand moved. */
type Hand = {
  readonly atMs: number;
  /** Where it was before: a hand that puts it back there lets go of it. */
  readonly before: JsonValue;
};

/** By `device key`. Only features that automations with `yield_to_hand_s` command are in it. */
export type Hands = Map<string, Hand>;

type Move = {
  readonly from: JsonValue;
  readonly value: JsonValue;
  readonly cause: Cause | null;
  readonly atMs: number;
  /** No automation yields to it for longer: a hand from before that holds nothing. */
  readonly longestMs: number;
};

/** Notes a change that was reported. Returns whether a hand holds the feature now. */
export function noteMove(hands: Hands, feature: string, { from, value, cause, atMs, longestMs }: Move): boolean {
  const last = hands.get(feature);
  const held = last !== undefined && atMs - last.atMs < longestMs ? last : undefined;
  if (cause !== null) {
    hands.delete(feature);
    return false;
  }
  if (held !== undefined && isSameJson(held.before, value)) {
    hands.delete(feature);
    return false;
  }
  hands.set(feature, { atMs, before: held?.before ?? from });
  return true;
}

/** When the hand that an automation must yield to moved the feature; `undefined` where none did. */
export function heldSince(
  hands: Hands,
  feature: string,
  times: { readonly nowMs: number; readonly forMs: number; readonly releasedMs: number },
): number | undefined {
  const hand = hands.get(feature);
  if (hand === undefined || times.forMs === 0) return undefined;
  const isOver = times.nowMs - hand.atMs >= times.forMs || hand.atMs <= times.releasedMs;
  return isOver ? undefined : hand.atMs;
}
