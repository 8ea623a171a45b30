import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted } from '#web/strings/es/grammar.ts';

export const home: Dictionary['home'] = {
  greeting: {
    morning: (name) => (name === '' ? 'Buenos días' : `Buenos días, ${name}`),
    day: (name) => (name === '' ? 'Buenas tardes' : `Buenas tardes, ${name}`),
    evening: (name) => (name === '' ? 'Buenas noches' : `Buenas noches, ${name}`),
  },
  status: 'La casa ahora',
  statuses: {
    alarm: (count) => counted(count, 'alarma', 'alarmas'),
    unlocked: (count) => (count === 1 ? 'Sin llave' : `${count} sin llave`),
    open: (count) => counted(count, 'abierto', 'abiertos'),
    cutOff: (count) => `${count} fuera de alcance`,
    offline: (count) => `${count} sin conexión`,
    battery: (count) => counted(count, 'batería baja', 'baterías bajas'),
    lights: (count) => counted(count, 'luz encendida', 'luces encendidas'),
    locked: (count) => (count === 1 ? 'Cerrado con llave' : 'Todo con llave'),
  },
  one: (status, device) => `${device}: ${status}`,
  allWell: 'Todo en orden',
  favorites: 'Favoritos',
  rooms: 'Habitaciones',
  arrange: 'Organizar',
  roomLights: (room) => `${room}: luces`,
  roomLevel: (room) => `${room}: brillo de todas las luces`,
  lightsOn: (count) => counted(count, 'encendida', 'encendidas'),
  open: (count) => counted(count, 'abierto', 'abiertos'),
  offline: (count) => `${count} sin conexión`,
  unlocked: 'sin llave',
  locked: 'cerrado con llave',
  turnedOff: (room) => `Luces apagadas: ${room}`,
  turnedOn: (room) => `Luces encendidas: ${room}`,
  search: 'Buscar',
  star: 'Favorito',
};
