import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { counted } from '#web/strings/es/grammar.ts';

export const welcome: Dictionary['welcome'] = {
  home: {
    title: 'Tu casa',
    intro: 'Podrás cambiar todo esto más tarde en los ajustes.',
    name: 'Nombre de esta casa',
    nameDefault: 'Casa',
    language: 'Idioma',
    zone: 'Zona horaria',
    zoneHint: 'La de este dispositivo.',
    clock: 'El reloj del hub no está en hora: toma la de este dispositivo.',
    place: 'Dónde está la casa',
    placeText: 'Para la salida y la puesta del sol. Se queda en el hub, y solo lo ven propietarios y administradores.',
    near: (city) => `Cerca de ${city}`,
    nearNote: 'La ciudad principal de tu zona horaria. El sol puede ir unos minutos antes o después.',
    otherCity: 'Cerca de otra ciudad',
    city: 'Ciudad',
    exact: 'Introducir coordenadas',
    later: 'Más tarde',
    laterNote: 'Hasta entonces nada puede pasar al ponerse el sol.',
    submit: 'Continuar',
    busy: 'Guardando…',
  },
  devices: {
    title: 'Dispositivos',
    intro: 'Lo que tu hub encuentra en la red aparece aquí solo.',
    searching: 'Buscando…',
    present: (count) => `Ya hay ${counted(count, 'dispositivo', 'dispositivos')} en tu casa.`,
    other: 'Otra cosa',
    otherNote: 'Zigbee, Z-Wave, Matter y todo lo que no se anuncia solo',
    later: 'Más tarde',
    toHome: 'Ir a la casa',
  },
};
