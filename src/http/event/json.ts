import * as z from 'zod/mini';
import type { EncodedEvent } from '#core/event/event-log.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { deviceSchema } from '#http/device/json.ts';
import { described } from '#http/note/described.ts';
import { type EventDeps, formOfEvent } from '#http/answer/home-events.ts';
import { roomSchema } from '#http/room/json.ts';
import { activeSceneSchema } from '#http/scene/json.ts';
import { encodeEvent } from './frame.ts';

/** The time, which every event has. */
const at = timeSchema;

/** Events of the stream itself. */
export const CONTROL_SCHEMAS = {
  'hub.heartbeat': z.object({ at }),
  'hub.gap': described(
    'This client has lost the events between the two cursors. `from` is `null` if the client sent no valid cursor. In a stream a snapshot follows; read again what it does not hold (commands, integrations).',
    z.object({
      from: described('The cursor that the client had; `null`: no valid one.', z.nullable(z.string())),
      to: described('The cursor from which it goes on.', z.string()),
      reason: described(
        '`paused`: only for a webhook, which was off in the meantime. `view_changed`: the person now sees another part of the home.',
        z.enum(['restarted', 'too_old', 'unknown_cursor', 'overrun', 'paused', 'view_changed']),
      ),
      at,
    }),
  ),
  'hub.snapshot': described(
    'The home at `cursor`, in parts of at most 64 KiB, unless a single device is larger. Only the last part has an id: a client that loses its connection between two parts goes on from before the snapshot and gets it again.',
    z.object({
      cursor: described('The position in the stream of events at which the home was so.', z.string()),
      part: described('Number of this part, from 1 on.', z.int()),
      last: described('No other part follows.', z.boolean()),
      rooms: described('The rooms of this part; rooms come first, then scenes, then devices.', z.array(roomSchema)),
      scenes: described('The scenes of this part, and whether they are active.', z.array(activeSceneSchema)),
      devices: described('The devices of this part.', z.array(deviceSchema)),
    }),
  ),
} as const;

/** Makes the bytes of each event, which then serve all clients. */
export function createEventEncoder(deps: EventDeps): (event: HomeEvent, cursor: string) => EncodedEvent {
  return (event, cursor) => {
    const form = formOfEvent(event.type);
    if (form === undefined) throw new Error(`no noun declares the event ${event.type}`);
    const data = { ...form.json(event, deps), at: timeJson(deps.wallMs()) };
    return encodeEvent(event.type, JSON.stringify(data), cursor);
  };
}
