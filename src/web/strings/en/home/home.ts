import { counted } from '#web/strings/en/grammar.ts';

export const home = {
  greeting: {
    morning: (name: string) => (name === '' ? 'Good morning' : `Good morning, ${name}`),
    day: (name: string) => (name === '' ? 'Good afternoon' : `Good afternoon, ${name}`),
    evening: (name: string) => (name === '' ? 'Good evening' : `Good evening, ${name}`),
  },
  status: 'The home now',
  statuses: {
    alarm: (count: number) => counted(count, 'alarm', 'alarms'),
    unlocked: (count: number) => (count === 1 ? 'Unlocked' : `${count} unlocked`),
    open: (count: number) => (count === 1 ? '1 open' : `${count} open`),
    cutOff: (count: number) => `${count} out of reach`,
    offline: (count: number) => `${count} offline`,
    battery: (count: number) => counted(count, 'battery low', 'batteries low'),
    lights: (count: number) => `${counted(count, 'light', 'lights')} on`,
    locked: (count: number) => (count === 1 ? 'Locked' : 'All locked'),
  },
  /** The status of one device, with its name. */
  one: (status: string, device: string) => `${device}: ${status}`,
  allWell: 'All is well',
  favorites: 'Favorites',
  rooms: 'Rooms',
  arrange: 'Arrange',
  roomLights: (room: string) => `${room}: lights`,
  roomLevel: (room: string) => `${room}: brightness of all lights`,
  lightsOn: (count: number) => `${count} on`,
  open: (count: number) => `${count} open`,
  offline: (count: number) => `${count} offline`,
  unlocked: 'unlocked',
  locked: 'locked',
  turnedOff: (room: string) => `Lights off: ${room}`,
  turnedOn: (room: string) => `Lights on: ${room}`,
  search: 'Search',
  star: 'Favorite',
};
