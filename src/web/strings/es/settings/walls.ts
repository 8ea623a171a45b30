import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const walls: Dictionary['walls'] = {
  title: 'Tabletas de pared',
  menuText: 'Pantallas que muestran la casa a todos',
  add: 'Añadir una tableta de pared',
  digits: 'Las seis cifras de la tableta',
  digitsHint: (address) =>
    `Abre ${address} en la tableta. Muestra seis cifras y un código QR para la cámara de tu teléfono.`,
  notDigits: 'Escribe las seis cifras que muestra la tableta.',
  next: 'Siguiente',
  question: (name, address, digits) =>
    `«${name}» (${address}) quiere mostrar tu casa. Permítelo solo si la tableta que tienes delante muestra ${digits}.`,
  may: 'Cualquiera en esta tableta puede',
  control: 'Controlar',
  controlNote: 'Luces, calefacción, persianas y escenas',
  see: 'Solo ver',
  doors: (names) => `También ${names.join(', ')}`,
  doorsNote: 'Quien esté ante la tableta puede abrirlas, también las que añadas después',
  allRooms: 'En todas las habitaciones',
  someRooms: (count) => (count === 1 ? 'En una habitación' : `En ${count} habitaciones`),
  allow: 'Permitir',
  allowing: 'Permitiendo…',
  allowed: (name) => `${name} mostrará tu casa en unos segundos.`,
  refuse: 'No es mi tableta',
  refused: 'La tableta ha sido rechazada.',
  gone: 'Ninguna tableta muestra estas cifras. Cada tableta recibe otras nuevas cada cinco minutos.',
};
