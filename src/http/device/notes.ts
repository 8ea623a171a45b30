import { commandExample, commandNote } from '#http/command/notes.ts';
import { CHANGE_HEADERS, LIST_HEADERS, type Note, READ_HEADERS } from '#http/reference/note.ts';
import { roomReferenceExample } from '#http/room/notes.ts';

const TIME = '2026-11-21T04:06:22.000Z';

const deviceExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000020',
  selector: 'kitchen-ceiling',
  name: 'Kitchen ceiling',
  type: 'dimmable_light',
  room: roomReferenceExample(),
  integration: 'zigbee2mqtt',
  external_id: '0x90fd9ffffe0bcd51',
  manufacturer: 'IKEA',
  model: 'LED1624G9',
  firmware: '2.3.087',
  availability: { state: 'online', since: TIME, last_seen_at: TIME, reason: null },
  features: [
    {
      key: 'brightness',
      capability: 'brightness',
      component: 'main',
      kind: 'state',
      category: 'primary',
      name: 'Brightness',
      value_type: 'number',
      readable: true,
      writable: true,
      unit: 'percent',
      min: 0,
      max: 100,
      step: 1,
      options: null,
      value: 60,
      quality: 'confirmed',
      observed_at: TIME,
      changed_at: TIME,
    },
  ],
  sensitive: false,
  revision: 4711,
  created_at: TIME,
  updated_at: TIME,
});

export const listDevices: Note = () => ({
  ...LIST_HEADERS,
  description: 'By name, then id. The whole list in one answer without `limit`.',
  answerHeaders: {
    ...LIST_HEADERS.answerHeaders,
    200: [...LIST_HEADERS.answerHeaders[200], 'Link', 'Content-Encoding'],
  },
  queryDescriptions: {
    room: 'Id or selector of a room.',
    type: 'Kind of device.',
    integration: 'Id of an integration.',
    availability: 'State of availability.',
    search: 'Part of the name; case does not matter.',
    fields: 'Only these fields of each device: then, and only then, the others are missing, required ones too.',
    limit: 'At most so many; the header `Link` leads to the next page.',
    cursor: 'Where the page begins, from the `Link` of the one before.',
  },
  answerExample: [deviceExample()],
});

export const getDevice: Note = () => ({ ...READ_HEADERS, answerExample: deviceExample() });

export const updateDevice: Note = () => ({
  ...CHANGE_HEADERS,
  description:
    'A `name` of `null` gives back the name that it has upstream, a `room` of `null` takes it out of its room. `sensitive: true` marks a device that lets somebody in or does harm although nothing of it says so, as a relay that opens a garage: using it needs `device:control_sensitive` from then on. `false` takes that mark away, which needs a login with `hub:manage`; what is sensitive by its nature, as a lock, stays so. The answer shows `sensitive` as it holds.',
  problems: ['ROOM_NOT_FOUND'],
  bodyExample: { name: 'Kitchen ceiling', room: 'kitchen' },
  answerExample: deviceExample(),
});

export const removeDevice: Note = () => ({
  requestHeaders: ['If-Match'],
  description:
    'Removed upstream too where the integration can. Its id, name and room are kept: the same device is the same when it returns. The hub remembers 10,000 such devices; beyond that it forgets those first that were there for less than a day, and last those with a name or room of their own.',
  queryDescriptions: { force: 'Also one that no longer answers.' },
  problems: ['DEVICE_OFFLINE', 'INTEGRATION_DOWN', 'COMMAND_FAILED', 'NOT_SUPPORTED'],
});

export const getThingDescription: Note = () => ({
  description:
    'The device as a Thing Description 1.1 of the Web of Things: what it has, and how to ask this API for it. Each feature that has a value is a property, read, written and observed at `/api/v1/device/{selector}/feature/{key}`; what happens is an event there. `base` is the address by which the hub was asked.',
  requestHeaders: ['If-None-Match'],
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
  answerTypes: ['application/td+json'],
});

export const getFeatureValue: Note = () => ({
  description:
    'The bare value, `null` where it is not known. With `wait` the answer comes when it is another one, and as it is when the wait is over. What only happens, as the press of a button, has no value: the answer is the occurrence, or `null` where there was none. Between two such calls an occurrence can be missed; `GET /api/v1/event` misses none. `wait` needs the right `event:read`; HEAD never waits.',
  problems: ['TOO_MANY_REQUESTS', 'OVERLOADED'],
  queryDescriptions: { wait: 'Seconds to wait for another value.' },
});

export const setFeatureValue: Note = () => ({
  ...commandNote(),
  description: `The body is the bare value. The same command as \`{"set": {key: value}}\` to the device, with the same rights, checks and answer. ${commandNote().description}`,
  bodyExample: true,
  answerExample: commandExample(),
});
