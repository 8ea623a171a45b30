import type { Note } from '#http/note/note.ts';

const locationExample = () => ({ latitude: 52.52, longitude: 13.41, elevation_m: 30 });

export const getHubLocation: Note = () => ({
  description:
    'Only owners and admins see the location, and no event, export, trace, metric or log contains it. It is in backups. 404 while there is none.',
  problems: ['NOT_FOUND'],
  answerExample: locationExample(),
});

export const setHubLocation: Note = () => ({
  description:
    'From the location the hub works out when the sun rises and sets. It keeps 0.01° (1.1 km) and 10 m, and forgets the rest at once.',
  bodyExample: { latitude: 52.516_272, longitude: 13.414_722, elevation_m: 34 },
  answerExample: locationExample(),
});

export const removeHubLocation: Note = () => ({
  description: 'Automations that need the sun are `broken` from then on.',
});

export const reportHubClock: Note = () => ({
  description:
    'For a home without a time server. The word of a person holds until a time server answers or the machine is switched off; it moves times of automations, and how long no login lasts. 409 `CLOCK_SYNCED` where a time server has set the clock. A time that is certainly past is refused with 422.',
  problems: ['CLOCK_SYNCED'],
  bodyExample: { now: '2026-11-22T17:31:00+01:00' },
  answerExample: { now: '2026-11-22T16:31:00.000Z', source: 'owner' },
});
