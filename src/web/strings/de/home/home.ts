import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted } from '#web/strings/de/grammar.ts';

export const home: Dictionary['home'] = {
  greeting: {
    morning: (name) => (name === '' ? 'Guten Morgen' : `Guten Morgen, ${name}`),
    day: (name) => (name === '' ? 'Guten Tag' : `Guten Tag, ${name}`),
    evening: (name) => (name === '' ? 'Guten Abend' : `Guten Abend, ${name}`),
  },
  status: 'Das Zuhause jetzt',
  statuses: {
    alarm: (count) => counted(count, 'Alarm', 'Alarme'),
    unlocked: (count) => (count === 1 ? 'Nicht verriegelt' : `${count} nicht verriegelt`),
    open: (count) => `${count} offen`,
    cutOff: (count) => `${count} nicht erreichbar`,
    offline: (count) => `${count} offline`,
    battery: (count) => counted(count, 'Batterie schwach', 'Batterien schwach'),
    lights: (count) => `${counted(count, 'Licht', 'Lichter')} an`,
    locked: (count) => (count === 1 ? 'Verriegelt' : 'Alle verriegelt'),
  },
  one: (status, device) => `${device}: ${status}`,
  allWell: 'Alles in Ordnung',
  favorites: 'Favoriten',
  rooms: 'Räume',
  arrange: 'Anordnen',
  roomLights: (room) => `${room}: Licht`,
  roomLevel: (room) => `${room}: Helligkeit aller Lichter`,
  lightsOn: (count) => `${count} an`,
  open: (count) => `${count} offen`,
  offline: (count) => `${count} offline`,
  unlocked: 'nicht verriegelt',
  locked: 'verriegelt',
  turnedOff: (room) => `Licht aus: ${room}`,
  turnedOn: (room) => `Licht an: ${room}`,
  search: 'Suchen',
  star: 'Favorit',
};
