import { type JsonValue, objectOf } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { loadSources, problemSource } from './meters.ts';
import { type Part, percentAt, type Source } from './source.ts';

const COMMANDS: ReadonlyMap<JsonValue, string> = new Map([
  ['open', 'Cover.Open'],
  ['close', 'Cover.Close'],
  ['stop', 'Cover.Stop'],
]);
/**
 * Where it goes counts, not how far it came: that is what the position and the movement say. Shelly's API names
 * these states and has no version of its own; a state that is none of them is not known.
 */
const STATES: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['open', 'open'],
  ['opening', 'open'],
  ['closed', 'close'],
  ['closing', 'close'],
  ['stopped', 'stop'],
]);
const MOVEMENTS = ['open', 'opening', 'closed', 'closing', 'stopped', 'calibrating'];

/** A blind, shutter or awning. It has positions once it is calibrated, and slats where the owner said so. */
export function coverSources(part: Part): Source[] {
  const { key, name, id, config, status } = part;
  const state: Source = {
    from: key,
    feature: wordFeature('cover_state', name, { writable: true, options: [...COMMANDS.keys()].map(String) }),
    read: ({ state: now }) => (now === undefined ? undefined : (STATES.get(now) ?? null)),
    write: (word) => ({ method: COMMANDS.get(word) ?? 'Cover.Stop', params: { id } }),
  };
  const movement: Source = {
    from: key,
    feature: ownFeature('movement', name, { valueType: 'enum', category: 'primary', options: MOVEMENTS }),
    read: ({ state: now }) =>
      now === undefined ? undefined : typeof now === 'string' && MOVEMENTS.includes(now) ? now : null,
  };
  const position: Source = {
    from: key,
    feature: wordFeature('position', name, { writable: true, min: 0, max: 100 }),
    read: percentAt('current_pos'),
    write: (percent) => ({ method: 'Cover.GoToPosition', params: { id, pos: Math.round(Number(percent)) } }),
  };
  const tilt: Source = {
    from: key,
    feature: wordFeature('tilt', name, { writable: true, min: 0, max: 100 }),
    read: percentAt('slat_pos'),
    write: (percent) => ({ method: 'Cover.GoToPosition', params: { id, slat_pos: Math.round(Number(percent)) } }),
  };
  const hasPositions = status['pos_control'] === true;
  const hasSlats = hasPositions && objectOf(config['slat'])['enable'] === true;
  return [
    state,
    movement,
    ...(hasPositions ? [position] : []),
    ...(hasSlats ? [tilt] : []),
    ...loadSources(part),
    ...problemSource(part),
  ];
}
