import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const find: Dictionary['find'] = {
  label: 'Buscar en la casa y en sus ajustes',
  hint: 'Escribe parte de un nombre, o lo que quieres cambiar.',
  devices: 'Dispositivos',
  count: (count) => (count === 0 ? 'No se ha encontrado nada' : count === 1 ? '1 resultado' : `${count} resultados`),
  pages: 'Páginas y ajustes',
  more: (count) => `${count === 1 ? '1 resultado más' : `${count} resultados más`}. Añade una palabra para afinar.`,
};
