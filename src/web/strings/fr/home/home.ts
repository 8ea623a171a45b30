import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted } from '#web/strings/fr/grammar.ts';

export const home: Dictionary['home'] = {
  greeting: {
    morning: (name) => (name === '' ? 'Bonjour' : `Bonjour, ${name}`),
    day: (name) => (name === '' ? 'Bon après-midi' : `Bon après-midi, ${name}`),
    evening: (name) => (name === '' ? 'Bonsoir' : `Bonsoir, ${name}`),
  },
  status: 'La maison maintenant',
  statuses: {
    alarm: (count) => counted(count, 'alarme', 'alarmes'),
    unlocked: (count) => (count === 1 ? 'Déverrouillé' : `${count} déverrouillés`),
    open: (count) => counted(count, 'ouverte', 'ouvertes'),
    cutOff: (count) => counted(count, 'injoignable', 'injoignables'),
    offline: (count) => `${count} hors ligne`,
    battery: (count) => counted(count, 'pile faible', 'piles faibles'),
    lights: (count) => counted(count, 'lumière allumée', 'lumières allumées'),
    locked: (count) => (count === 1 ? 'Verrouillé' : 'Tout verrouillé'),
  },
  one: (status, device) => `${device} : ${status}`,
  allWell: 'Tout va bien',
  favorites: 'Favoris',
  rooms: 'Pièces',
  arrange: 'Organiser',
  roomLights: (room) => `${room} : lumières`,
  roomLevel: (room) => `${room} : luminosité de toutes les lumières`,
  lightsOn: (count) => counted(count, 'allumée', 'allumées'),
  open: (count) => counted(count, 'ouverte', 'ouvertes'),
  offline: (count) => `${count} hors ligne`,
  unlocked: 'déverrouillé',
  locked: 'verrouillé',
  turnedOff: (room) => `Lumières éteintes : ${room}`,
  turnedOn: (room) => `Lumières allumées : ${room}`,
  search: 'Chercher',
  star: 'Favori',
};
