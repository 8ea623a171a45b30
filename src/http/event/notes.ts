import type { Note } from '#http/note/note.ts';

export const followEvents: Note = () => ({
  description:
    'A stream of `text/event-stream`, unless the client accepts only JSON. Its frames have `id` (a cursor), `event` (the type) and `data`, which together are an `Event`. After a pause, `Last-Event-ID` brings every missed event once and in order, or `hub.gap` and then `hub.snapshot` if the hub no longer has them all. As `application/json`, or with `wait` or `limit`, it is a long poll.\n\nA caller gets events of exactly what it may read. It gets `command.changed` of the commands that `GET /api/v1/command/{id}` would show it.\n\nA login or API token may have 16 streams and polls at once, a person 32, the hub 256. Beyond that the answer is 429 or 503 with `Retry-After`. When the hub is full, it ends the newest stream of the person with the most streams, to make room for a person with fewer.',
  requestHeaders: ['Last-Event-ID'],
  answerTypes: ['text/event-stream'],
  problems: ['TOO_MANY_REQUESTS'],
});
