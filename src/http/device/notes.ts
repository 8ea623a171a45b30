import * as z from 'zod/mini';
import { CHANGE_HEADERS, LIST_HEADERS, type Note, READ_HEADERS } from '#http/note/note.ts';
import { deviceValuesSchema } from './values-json.ts';
import { roomReferenceExample } from '#http/room/notes.ts';

const LIST_OF_VALUES = z.array(deviceValuesSchema);
const TIME = '2026-11-21T04:06:22.000Z';

const deviceExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000020',
  selector: 'kitchen-ceiling',
  name: 'Kitchen ceiling',
  type: 'dimmable_light',
  room: roomReferenceExample(),
  parent: null,
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
  actions: ['identify'],
  sensitive: false,
  all_off: true,
  all_off_by: 'type',
  icon: null,
  revision: 4711,
  created_at: TIME,
  updated_at: TIME,
});

export const listDevices: Note = () => ({
  ...LIST_HEADERS,
  description:
    'Sorted by name, then id. Without `limit` the answer is the whole list. With `view=values` each is a `DeviceValues`: the home in a tenth of the bytes, for dashboards and assistants.',
  answerWith: { 'view=values': LIST_OF_VALUES },
  answerHeaders: {
    ...LIST_HEADERS.answerHeaders,
    200: [...LIST_HEADERS.answerHeaders[200], 'Link', 'Content-Encoding'],
  },
  answerExample: [deviceExample()],
});

export const getDevice: Note = () => ({
  ...READ_HEADERS,
  description: 'With `view=values` it is a `DeviceValues`.',
  answerWith: { 'view=values': deviceValuesSchema },
  answerExample: deviceExample(),
});

export const updateDevice: Note = () => ({
  ...CHANGE_HEADERS,
  description:
    'A `name` of `null` brings back the name from the integration; a `room` of `null` takes the device out of its room. Another room for a sensitive device, such as a lock, needs `device:control_sensitive` too, because it decides who may open it. `sensitive: true` marks a device that can let somebody in or do harm although its type does not show it, such as a relay that opens a garage. From then on, a command to it needs `device:control_sensitive`. `false` removes the mark and needs a login with `hub:manage`. A device that is sensitive by its type, such as a lock, stays sensitive. The answer shows the `sensitive` that applies. "All off" turns off lights, fans and media; `all_off: true` takes another device in, as the plug of a heater, `false` leaves one out, and `null` lets its type decide again.',
  problems: ['ROOM_NOT_FOUND'],
  bodyExample: { name: 'Kitchen ceiling', room: 'kitchen' },
  answerExample: deviceExample(),
});

export const removeDevice: Note = () => ({
  requestHeaders: ['If-Match'],
  description:
    'Also removes the device from its integration, if the integration can do that. The hub keeps the id, name and room: a device that returns gets them back. It remembers 10,000 removed devices. Beyond that it first forgets those that it had for less than a day, and last those to which somebody gave a name or room. With `history=delete`, a failure after the device is gone, such as a full disk, is answered as one; the hub then deletes the history by itself, within about an hour after the cause is over.',
  problems: ['DEVICE_OFFLINE', 'INTEGRATION_DOWN', 'COMMAND_FAILED', 'NOT_SUPPORTED'],
});

export const getThingDescription: Note = () => ({
  description:
    'The device as a Thing Description 1.1 of the Web of Things: what it can do, and which calls of this API do it. Each feature with a value is a property, which clients read, write and observe at `/api/v1/device/{selector}/feature/{key}`; an occurrence is an event there. `base` is the address to which this request was sent.',
  requestHeaders: ['If-None-Match'],
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
  answerTypes: ['application/td+json'],
});
