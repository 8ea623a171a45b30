import { CHANGE_HEADERS, LIST_HEADERS, type Note, READ_HEADERS } from '#http/note/note.ts';

const calendarExample = () => ({
  key: 'holidays',
  name: 'Holidays',
  dates: ['01-01', '2026-04-03', '12-24..12-26'],
  free: true,
  changed_at: '2026-11-21T04:06:22.000Z',
  revision: 2,
});

export const listCalendars: Note = () => ({
  ...LIST_HEADERS,
  description:
    'Dates under a name. Automations that ask for `workday` mean Monday to Friday without the days of calendars that are `free`.',
  answerExample: [calendarExample()],
});

export const getCalendar: Note = () => ({ ...READ_HEADERS, answerExample: calendarExample() });

export const listCalendarDays: Note = () => ({
  isInternal: true,
  description: '409 `CLOCK_NOT_SET` while the hub does not know what day it is.',
  problems: ['CLOCK_NOT_SET'],
  answerExample: {
    today: '2026-12-23',
    workday: true,
    days: [{ date: '2026-12-24', workday: false, calendars: [{ key: 'holidays', name: 'Holidays' }] }],
    sun: {
      dawn: '2026-12-23T06:37:00.000Z',
      sunrise: '2026-12-23T07:15:00.000Z',
      noon: '2026-12-23T11:05:00.000Z',
      sunset: '2026-12-23T14:55:00.000Z',
      dusk: '2026-12-23T15:33:00.000Z',
    },
    firings: [
      {
        at: '2026-12-23T21:00:00.000Z',
        trigger: 't1',
        dst: 'none',
        automation: { id: '0199b3c4-1d2e-7f30-8a41-5b6c7d8e9f01', selector: 'lights-off', name: 'Lights off' },
      },
    ],
  },
});

export const setCalendar: Note = () => ({
  ...CHANGE_HEADERS,
  description: 'Makes the calendar, or replaces its dates. There can be 20 of them.',
  problems: ['LIMIT_REACHED'],
  bodyExample: { name: 'Holidays', dates: ['01-01', '2026-04-03', '12-24..12-26'] },
  answerExample: calendarExample(),
});

export const removeCalendar: Note = () => ({ requestHeaders: ['If-Match'] });
