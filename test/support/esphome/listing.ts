import { type Draft, putFloat, putText, bytesOf, type Message } from '#integrations/esphome/wire/protobuf.ts';
import { fields, ofEntity, type Said } from './esphome-node.ts';

/** A float beside the other fields. */
export function withFloats(draft: Draft, floats: Readonly<Record<number, number>>): Draft {
  for (const [field, value] of Object.entries(floats)) putFloat(draft, Number(field), value);
  return draft;
}

const SUB = 77;

/** A node with one of most things, and a part of its own. */
export const LISTING: readonly Said[] = [
  [15, withTexts(withFloats(ofEntity(1, { 3: 'Dimmer', 12: 3 }), {}), 11, ['Pulse'])],
  [17, ofEntity(2, { 3: 'Outlet', 10: SUB })],
  [16, ofEntity(3, { 3: 'Temperature', 6: '°C', 9: 'temperature' })],
  [17, ofEntity(4, { 3: 'Guess', 6: true, 8: 1 })],
  [61, ofEntity(5, { 3: 'Press Me' })],
  [107, withTexts(ofEntity(6, { 3: 'Wall Button', 8: 'button' }), 9, ['single', 'long'])],
  [52, withTexts(ofEntity(7, { 3: 'Mode' }), 6, ['eco', 'boost'])],
  [103, ofEntity(8, { 3: 'Wake Time' })],
  [43, ofEntity(9, { 3: 'Camera' })],
  [299, ofEntity(10, { 3: 'From the future' })],
  [41, ofEntity(11, { 1: 'ring', 3: bytesOf(fields({ 1: 'times', 2: 1 })) }, 2)],
].map(([type, draft]) => [type as number, listed(draft as Draft)]);

/** As `ofEntity`, where it is listed. */
export function ofListed(key: number, entries: Parameters<typeof fields>[0]): Draft {
  return ofEntity(key, entries, 2);
}

/** The key of an entity is the second field where it is listed. */
function listed(draft: Draft): Draft {
  const key = draft.get(1);
  if (key === undefined || key[0] !== 0x0d) return draft;
  const moved = Uint8Array.from(key);
  moved[0] = 0x15;
  const next: Draft = new Map(draft);
  next.delete(1);
  return next.set(2, moved);
}

function withTexts(draft: Draft, field: number, texts: readonly string[]): Draft {
  putText(draft, field, ...texts);
  return draft;
}

export const STATES: readonly Said[] = [
  [24, withFloats(ofEntity(1, { 11: 3 }), { 3: 0.5 })],
  [26, ofEntity(2, { 3: SUB })],
  [25, withFloats(ofEntity(3), { 2: 21.4 })],
  [26, ofEntity(4, { 2: true })],
  [53, ofEntity(7, { 2: 'eco' })],
  [104, ofEntity(8, { 3: 7, 4: 30 })],
];

/** Answers as the firmware does: with the state that the entity then has. */
export function echo(type: number, message: Message): readonly Said[] {
  const key = message.number(1);
  if (type === 33) return [[26, ofEntity(key, { 2: message.flag(2), 3: message.number(3) })]];
  if (type === 32) {
    const brightness = message.flag(4) ? message.float(5) : 0.5;
    return [[24, withFloats(ofEntity(key, { 2: message.flag(3), 9: message.text(19), 11: 3 }), { 3: brightness })]];
  }
  if (type === 54) return [[53, ofEntity(key, { 2: message.text(2) })]];
  return [];
}
