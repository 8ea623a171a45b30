import type { Note } from '#http/reference/note.ts';

export const followEvents: Note = () => ({
  description:
    'As `text/event-stream`, unless JSON alone is accepted: frames of `id` (a cursor), `event` (the type) and `data`, which together are an `Event`. After a pause, `Last-Event-ID` brings every missed event once and in order, or `hub.gap` and then `hub.snapshot` where that cannot be. As `application/json`, or where `wait` or `limit` is given, it is a long poll.\n\nA caller gets events of exactly what it may read: of commands (`command.changed`) those for which `GET /api/v1/command/{id}` would answer.\n\nA login or API token has 16 streams and polls at once, a person 32, the hub 256. Beyond that the answer is 429 or 503 with `Retry-After`; when the hub is full, the newest stream of the person with the most ends to make room for somebody with fewer.',
  requestHeaders: ['Last-Event-ID'],
  answerTypes: ['text/event-stream'],
  problems: ['TOO_MANY_REQUESTS'],
  queryDescriptions: {
    types: 'Only events of these types.',
    device: 'Only events of this device: id or selector.',
    room: 'Only events of the devices in this room: id or selector.',
    since: 'Cursor after which to begin; `Last-Event-ID` takes precedence.',
    snapshot: 'Begin with the home as it is.',
    wait: 'Asks for a long poll: seconds to wait for the first event; 25 if absent.',
    limit: 'Asks for a long poll: most events in one answer; 1,000 if absent.',
  },
});
