import { CHANGE_HEADERS, LIST_HEADERS, type Note, READ_HEADERS } from '#http/note/note.ts';
import { roomReferenceExample } from '#http/room/notes.ts';

const TIME = '2026-11-21T19:30:00.000Z';

const groupExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000060',
  selector: 'kitchen-lights',
  name: 'Kitchen lights',
  room: roomReferenceExample(),
  members: [
    {
      id: '0198f1c2-7d6e-7000-8000-000000000020',
      selector: 'kitchen-ceiling',
      name: 'Kitchen ceiling',
      state: 'ok',
    },
  ],
  revision: 2,
  created_at: TIME,
  updated_at: TIME,
});

export const listGroups: Note = () => ({
  ...LIST_HEADERS,
  description:
    'A group is a device with `integration: "group"` too, with the same id and selector: there are its values, and it takes commands as any device. `on` is true if one of its members is on, `x.all_on` if all are; `brightness` and `color_temperature` are the mean of the lamps that are on; `open`, `motion`, `presence`, `smoke`, `co_alarm`, `gas_leak` and `water_leak` are true if one is, `locked` if all are; `temperature` and `humidity` are the mean, with `x.min_temperature` and so on; `power` is the sum, `null` where a part is unknown, with `x.known_power`. Other values are shown where all members have the same. A lamp that cannot be reached does not count while another one can. Scenes, rooms and commands give each member one command, also if they name it twice. Changes of groups are events of devices.',
  answerExample: [groupExample()],
});

export const getGroup: Note = () => ({ ...READ_HEADERS, answerExample: groupExample() });

export const createGroup: Note = () => ({
  description:
    'At most 50 groups of at most 100 devices. A group is in no group. It is in a room only with all of its members, and leaves it when one of them does.',
  answerHeaders: { 201: ['ETag', 'Event-Cursor', 'Location'] },
  problems: ['LIMIT_REACHED', 'ROOM_NOT_FOUND'],
  bodyExample: { name: 'All lamps', members: ['kitchen-ceiling', 'living-room-lamp'] },
  answerExample: groupExample(),
});

export const updateGroup: Note = () => ({
  ...CHANGE_HEADERS,
  description: '`members` replaces all members. One that was removed may stay, for its return.',
  problems: ['LIMIT_REACHED', 'ROOM_NOT_FOUND'],
  bodyExample: { members: ['kitchen-ceiling'] },
  answerExample: groupExample(),
});

export const removeGroup: Note = () => ({
  description: 'Its members stay. `DELETE /api/v1/device/{selector}` does the same, and can delete its history too.',
  requestHeaders: ['If-Match'],
});
