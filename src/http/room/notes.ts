import { CHANGE_HEADERS, LIST_HEADERS, type Note, READ_HEADERS } from '#http/note/note.ts';

const TIME = '2026-11-21T04:06:22.000Z';

export const roomReferenceExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000010',
  selector: 'kitchen',
  name: 'Kitchen',
});

const roomExample = () => ({
  ...roomReferenceExample(),
  icon: 'kitchen',
  revision: 3,
  created_at: TIME,
  updated_at: TIME,
});

export const listRooms: Note = () => ({ ...LIST_HEADERS, answerExample: [roomExample()] });

export const getRoom: Note = () => ({ ...READ_HEADERS, answerExample: roomExample() });

export const createRoom: Note = () => ({
  answerHeaders: { 201: ['ETag', 'Event-Cursor', 'Location'] },
  problems: ['LIMIT_REACHED', 'NAME_TAKEN'],
  bodyExample: { name: 'Kitchen' },
  answerExample: roomExample(),
});

export const updateRoom: Note = () => ({
  ...CHANGE_HEADERS,
  problems: ['NAME_TAKEN'],
  bodyExample: { name: 'Big kitchen', icon: 'kitchen' },
  answerExample: roomExample(),
});

export const removeRoom: Note = () => ({ requestHeaders: ['If-Match'] });
