import type { OperationNote } from './note.ts';
import { DELIVERY_CALLBACK } from './webhooks.ts';

const time = '2026-11-21T04:06:22.000Z';
const integration = {
  id: 'zigbee2mqtt',
  name: 'Zigbee2MQTT',
  status: 'connected',
  since: time,
  error: null,
  devices: 12,
  can_pair: true,
  is_set_up: true,
  settings: {
    enabled: { value: true, fixed: false, fixed_by: null },
    address: { value: 'mqtt://192.168.1.2:1883', fixed: false, fixed_by: null },
    user: { value: 'hearthd', fixed: false, fixed_by: null },
    password: { is_set: true, fixed: false, fixed_by: null },
    base_topic: { value: 'zigbee2mqtt', fixed: true, fixed_by: 'mqtt.base_topic in the configuration file' },
  },
};
const room = { id: '0198f1c2-7d6e-7000-8000-000000000010', selector: 'kitchen', name: 'Kitchen' };
const device = {
  id: '0198f1c2-7d6e-7000-8000-000000000020',
  selector: 'kitchen-ceiling',
  name: 'Kitchen ceiling',
  type: 'dimmable_light',
  room,
  integration: 'zigbee2mqtt',
  external_id: '0x90fd9ffffe0bcd51',
  manufacturer: 'IKEA',
  model: 'LED1624G9',
  firmware: '2.3.087',
  availability: { state: 'online', since: time, last_seen_at: time, reason: null },
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
      observed_at: time,
      changed_at: time,
    },
  ],
  sensitive: false,
  revision: 4711,
  created_at: time,
  updated_at: time,
};
const roomExample = { ...room, revision: 3, created_at: time, updated_at: time };
const command = {
  id: '0198f1c2-7d6e-7000-8000-000000000030',
  device: 'kitchen-ceiling',
  status: 'confirmed',
  evidence: 'state_report',
  results: [{ key: 'brightness', requested: 60, observed: 60, status: 'confirmed' }],
  created_at: time,
  finished_at: time,
  created_by: { type: 'session', id: '0198f1c2-7d6e-7000-8000-000000000002' },
};

const READ = {
  requestHeaders: ['If-None-Match'],
  answerHeaders: { 200: ['ETag', 'Event-Cursor'], 304: ['ETag', 'Event-Cursor'] },
} as const;
const LIST = {
  ...READ,
  answerHeaders: { ...READ.answerHeaders, 200: ['ETag', 'Event-Cursor', 'X-Total-Count'] },
} as const;
const CHANGE = { requestHeaders: ['If-Match'], answerHeaders: { 200: ['ETag', 'Event-Cursor'] } } as const;
const COMMAND: OperationNote = {
  description:
    'Everything is checked before anything is sent. 200 once it is finished within the wait, else 202: ask `GET /api/v1/command/{id}` or follow `command.changed`. `unconfirmed` is no success: no report came in time. A command that waits for its device becomes `expired`, unsent, once whoever gave it may no longer give it.',
  requestHeaders: ['Prefer', 'Idempotency-Key'],
  answerHeaders: { 200: ['Preference-Applied'], 202: ['Preference-Applied', 'Location'] },
  problems: ['DEVICE_OFFLINE', 'INTEGRATION_DOWN', 'IDEMPOTENCY_KEY_REUSED'],
};

/** Notes on devices, rooms, commands and integrations. */
export const HOME_NOTES: Readonly<Record<string, OperationNote>> = {
  'GET /api/v1/device': {
    ...LIST,
    description: 'By name, then id. The whole list in one answer without `limit`.',
    answerHeaders: { ...LIST.answerHeaders, 200: [...LIST.answerHeaders[200], 'Link', 'Content-Encoding'] },
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
    answerExample: [device],
  },
  'GET /api/v1/device/:selector': { ...READ, answerExample: device },
  'PATCH /api/v1/device/:selector': {
    ...CHANGE,
    description:
      'A `name` of `null` gives back the name that it has upstream, a `room` of `null` takes it out of its room. `sensitive: true` marks a device that lets somebody in or does harm although nothing of it says so, as a relay that opens a garage: using it needs `device:control_sensitive` from then on. `false` takes that mark away, which needs a login with `hub:manage`; what is sensitive by its nature, as a lock, stays so. The answer shows `sensitive` as it holds.',
    problems: ['ROOM_NOT_FOUND'],
    bodyExample: { name: 'Kitchen ceiling', room: 'kitchen' },
    answerExample: device,
  },
  'DELETE /api/v1/device/:selector': {
    requestHeaders: ['If-Match'],
    description:
      'Removed upstream too where the integration can. Its id, name and room are kept: the same device is the same when it returns. The hub remembers 10,000 such devices; beyond that it forgets those first that were there for less than a day, and last those with a name or room of their own.',
    queryDescriptions: { force: 'Also one that no longer answers.' },
    problems: ['DEVICE_OFFLINE', 'INTEGRATION_DOWN', 'COMMAND_FAILED', 'NOT_SUPPORTED'],
  },
  'GET /api/v1/device/:selector/td': {
    description:
      'The device as a Thing Description 1.1 of the Web of Things: what it has, and how to ask this API for it. Each feature that has a value is a property, read, written and observed at `/api/v1/device/{selector}/feature/{key}`; what happens is an event there. `base` is the address by which the hub was asked.',
    requestHeaders: ['If-None-Match'],
    answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
    answerTypes: ['application/td+json'],
  },
  'POST /api/v1/device/:selector/command': {
    ...COMMAND,
    keptAt: '/api/v1/command',
    bodyExample: { set: { on: true, brightness: 60 }, transition_ms: 400 },
    answerExample: command,
  },
  'GET /api/v1/device/:selector/feature/:key': {
    description:
      'The bare value, `null` where it is not known. With `wait` the answer comes when it is another one, and as it is when the wait is over. What only happens, as the press of a button, has no value: the answer is the occurrence, or `null` where there was none. Between two such calls an occurrence can be missed; `GET /api/v1/event` misses none. `wait` needs the right `event:read`; HEAD never waits.',
    problems: ['TOO_MANY_REQUESTS', 'OVERLOADED'],
    queryDescriptions: { wait: 'Seconds to wait for another value.' },
  },
  'PUT /api/v1/device/:selector/feature/:key': {
    ...COMMAND,
    description: `The body is the bare value. The same command as \`{"set": {key: value}}\` to the device, with the same rights, checks and answer. ${COMMAND.description ?? ''}`,
    bodyExample: true,
    answerExample: command,
  },
  'POST /api/v1/command': {
    ...COMMAND,
    problems: [...(COMMAND.problems ?? []), 'ROOM_NOT_FOUND'],
    bodyExample: { targets: { room: 'kitchen' }, set: { on: false } },
  },
  'GET /api/v1/command/:id': {
    description: 'The last 1,000 commands are kept; those of other people are seen with the right `device:manage`.',
    answerExample: command,
  },
  'GET /api/v1/room': { ...LIST, answerExample: [roomExample] },
  'GET /api/v1/room/:selector': { ...READ, answerExample: roomExample },
  'POST /api/v1/room': {
    answerHeaders: { 201: ['ETag', 'Event-Cursor', 'Location'] },
    problems: ['LIMIT_REACHED', 'NAME_TAKEN'],
    bodyExample: { name: 'Kitchen' },
    answerExample: roomExample,
  },
  'PATCH /api/v1/room/:selector': {
    ...CHANGE,
    problems: ['NAME_TAKEN'],
    bodyExample: { name: 'Big kitchen' },
    answerExample: roomExample,
  },
  'DELETE /api/v1/room/:selector': { requestHeaders: ['If-Match'] },
  'GET /api/v1/integration': {
    description:
      '`is_set_up` is false where nobody has said how the integration is reached and nothing has answered at the address that it came with: its `error` is then no fault of anything. `error` may stand beside `connected`: `TOO_MANY_DEVICES` and `DEVICES_TOO_LARGE` where a list of devices was refused whole (5,000 devices of an integration, 10,000 in all) and those known before are kept, `DEVICE_TOO_LARGE` where a device is shown without new features. `SAFE_MODE`: the hub died twice after it took something of the integration, which stands still until it is started again.',
    answerExample: [integration],
  },
  'GET /api/v1/integration/:id': { answerExample: integration },
  'PATCH /api/v1/integration/:id': {
    description:
      'In use at once: what ran ends, and starts anew with the new settings. Whether they lead anywhere, `status` and `error` tell, also as `integration.changed`. What the configuration file or the environment sets is fixed. `null` takes `user` or `password` away; with another address a password that there is has to be given again. `enabled: true` starts an integration again that is in safe mode, also one without settings.',
    problems: ['SETTING_FIXED', 'NOT_SUPPORTED'],
    bodyExample: { address: 'mqtt://192.168.1.2:1883', user: 'hearthd', password: 'a long and quiet evening' },
    answerExample: integration,
  },
  'POST /api/v1/integration/:id/pairing': {
    description: 'How it goes comes as `pairing.changed` events.',
    problems: ['NOT_SUPPORTED', 'INTEGRATION_DOWN', 'COMMAND_FAILED'],
    bodyExample: { seconds: 120 },
    answerExample: { seconds: 120 },
  },
  'DELETE /api/v1/integration/:id/pairing': { problems: ['NOT_SUPPORTED', 'INTEGRATION_DOWN', 'COMMAND_FAILED'] },
  'POST /api/v1/webhook': {
    callbacks: DELIVERY_CALLBACK,
    description: [
      'The hub sends `POST` with the body of the long poll, signed with the secret of the webhook: `Hearthd-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. Any 2xx takes it; anything else is tried again, in order, under the same `Hearthd-Delivery`. The answer alone has the secret.',
      'A URL of the hub’s own machine (loopback or one of its addresses) is for an owner to set: 422 from anybody else, and a name that stands for it at a delivery is refused then (`address_refused`). Why a connection failed an owner alone is told; for others it is `connection_failed`.',
    ].join('\n\n'),
    answerHeaders: { 201: ['Location'] },
    bodyExample: { url: 'http://192.168.1.20:8080/hearthd', types: ['feature.changed'] },
    problems: ['LIMIT_REACHED'],
  },
  'GET /api/v1/event': {
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
  },
};
