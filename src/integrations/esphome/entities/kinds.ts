import { climate, waterHeater } from './climates.ts';
import { cover, fan, valve } from './covers.ts';
import type { EntityKind } from './entity.ts';
import { light } from './lights.ts';
import { alarmPanel, mediaPlayer } from './panels.ts';
import { binarySensor, event, sensor, textSensor } from './sensors.ts';
import { button, lock, siren, switchEntity, update } from './switches.ts';
import { date, dateTime, number, select, text, time } from './values.ts';

/** Every kind of entity that has features here; with those below all of `api.proto` of aioesphomeapi 45.13. */
export const ENTITY_KINDS: readonly EntityKind[] = [
  light,
  switchEntity,
  cover,
  fan,
  climate,
  waterHeater,
  lock,
  valve,
  siren,
  alarmPanel,
  mediaPlayer,
  binarySensor,
  sensor,
  textSensor,
  event,
  number,
  select,
  text,
  date,
  time,
  dateTime,
  button,
  update,
];

/** By the type of the message that lists it. */
export const KIND_OF_LISTED: ReadonlyMap<number, EntityKind> = new Map(
  ENTITY_KINDS.map((kind) => [kind.listed.type, kind]),
);

/** By the type of the message that says its state. */
export const KIND_OF_STATE: ReadonlyMap<number, EntityKind> = new Map(
  ENTITY_KINDS.flatMap((kind) => (kind.state === undefined ? [] : [[kind.state.type, kind]])),
);

/** Kinds that have no place in a hub: cameras, and senders of raw infrared and radio signals. */
export const USELESS_LISTED: ReadonlyMap<number, string> = new Map([
  [43, 'camera'],
  [135, 'infrared'],
  [148, 'radio_frequency'],
]);
