import type { Note } from '#http/reference/note.ts';

export const followEvents: Note = () => ({
  description:
    'A stream of `text/event-stream`, unless the client accepts only JSON. Its frames have `id` (a cursor), `event` (the type) and `data`, which together are an `Event`. After a pause, `Last-Event-ID` brings every missed event once and in order, or `hub.gap` and then `hub.snapshot` if the hub no longer has them all. As `application/json`, or with `wait` or `limit`, it is a long poll.\n\nA caller gets events of exactly what it may read. It gets `command.changed` of the commands that `GET /api/v1/command/{id}` would show it.\n\nA login or API token may have 16 streams and polls at once, a person 32, the hub 256. Beyond that the answer is 429 or 503 with `Retry-After`. When the hub is full, it ends the newest stream of the person with the most streams, to make room for a person with fewer.',
  requestHeaders: ['Last-Event-ID'],
  answerTypes: ['text/event-stream'],
  problems: ['TOO_MANY_REQUESTS'],
  queryDescriptions: {
    types: 'Only events of these types.',
    device: 'Only events of this device: id or selector.',
    room: 'Only events of the devices in this room: id or selector.',
    since: 'Begin after this cursor; `Last-Event-ID` takes precedence.',
    snapshot: 'Begin with the whole home.',
    wait: 'Makes it a long poll: seconds to wait for the first event, by default 25.',
    limit: 'Makes it a long poll: the most events in one answer, by default 1,000.',
  },
});
