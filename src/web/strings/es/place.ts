import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { listed } from './grammar.ts';

export const place: Dictionary['place'] = {
  title: 'Lugar y hora',
  text: 'Las horas de las automatizaciones van con el reloj del hub, el sol sobre tu casa y tus calendarios.',
  clock: 'Reloj',
  now: 'Para el hub son las',
  source: 'Puesta por',
  sources: {
    synced: 'un servidor de hora',
    owner: 'una persona, desde que se encendió',
    none: 'nadie: es una estimación',
  },
  unset:
    'Ningún servidor de hora ha respondido desde que se encendió el hub. Las horas de las automatizaciones esperan a que el reloj esté en hora.',
  takeTime: 'Tomar la hora de este dispositivo',
  clockSet: (time) => `El reloj del hub está en hora: ${time}.`,
  zone: 'Zona horaria',
  zoneHint: 'Una hora como 07:00 en una automatización significa las 07:00 de allí.',
  zoneSaved: (zone) => `La zona horaria es ${zone.replaceAll('_', ' ')}.`,
  place: 'Dónde está la casa',
  placeText:
    'Para la salida y la puesta del sol. El hub redondea el lugar a un kilómetro, y solo lo ven propietarios y administradores.',
  latitude: 'Latitud',
  latitudeHint: 'Grados norte, por ejemplo 48,14; el sur es negativo. Los mapas muestran los dos números de un lugar.',
  longitude: 'Longitud',
  longitudeHint: 'Grados este, por ejemplo 11,58; el oeste es negativo.',
  placeSaved: 'El hub sabe dónde está el sol.',
  sunToday: (rise, set) =>
    `Hoy el sol ${rise === null ? 'no sale' : `sale a las ${rise}`} y ${set === null ? 'no se pone' : `se pone a las ${set}`}.`,
  forget: 'Olvidar el lugar',
  calendars: 'Calendarios',
  calendarsText: 'Fechas con un nombre. Laborable es de lunes a viernes, sin los días libres de los calendarios.',
  add: 'Calendario nuevo',
  addIt: 'Añadir calendario',
  name: 'Nombre',
  dates: 'Fechas',
  datesHint: 'Una en cada línea: 12-24 para cada año, 2026-05-01 para un año, 12-24..01-06 para varios días.',
  free: 'Días libres',
  freeNote: 'Estos días no son laborables.',
  saved: (name) => `${name} está guardado.`,
  remove: 'Quitar el calendario',
  removeQuestion: (name) => `¿Quitar ${name}?`,
  removeText: 'Sus fechas serán laborables o no como en cualquier otra semana.',
  upcoming: 'Próximos días',
  day: (names, isWorkday) => `${listed(names)} · ${isWorkday ? 'laborable' : 'no laborable'}`,
};
