import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { NodeState } from './zwave-message.ts';

/* Whether a node is awake, answers, and has said what it is, in the words of the server. */

export const ASLEEP = 1;
export const DEAD = 3;

type Reach = readonly [AvailabilityState, reason: string | null];
const REACHES = new Map<number, Reach>([
  [0, ['unknown', 'no_report']],
  [ASLEEP, ['asleep', 'sleeping']],
  [2, ['online', null]],
  [DEAD, ['offline', 'dead']],
  [4, ['online', null]],
]);

export function reachOf({ status, isReady }: Pick<NodeState, 'status' | 'isReady'>): Reach {
  const reach = REACHES.get(status) ?? (['unknown', 'no_report'] as const);
  return !isReady && reach[0] === 'unknown' ? ['unknown', 'interviewing'] : reach;
}

/** The status after an event. */
export const STATUS_OF = new Map<JsonValue, number>([
  ['sleep', ASLEEP],
  ['wake up', 2],
  ['dead', DEAD],
  ['alive', 4],
]);
/** Stages of the interview, by the event that tells of them. */
export const STAGE_OF = new Map<JsonValue, string>([
  ['interview started', 'None'],
  ['interview completed', 'Complete'],
  ['interview failed', 'Failed'],
]);
/** After these the node is read anew. */
export const RENEWING: ReadonlySet<JsonValue> = new Set([
  'ready',
  'interview completed',
  'value removed',
  'firmware update finished',
]);
