import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const find: Dictionary['find'] = {
  label: 'Buscar en la casa y en sus ajustes',
  hint: 'Escribe parte de un nombre, o lo que quieres cambiar.',
  devices: 'Dispositivos',
  count: (count) => (count === 0 ? 'No se ha encontrado nada' : count === 1 ? '1 resultado' : `${count} resultados`),
  most: (count) => `Se muestran los ${count} mejores. Con otra palabra encontrarás los demás.`,
};
