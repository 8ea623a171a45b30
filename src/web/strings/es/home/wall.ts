import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const wall: Dictionary['wall'] = {
  title: 'Pantalla en la pared',
  intro:
    'Crea un token de API en tu propio teléfono: Ajustes, Tokens de API, con permiso para ver dispositivos y eventos y para controlar dispositivos. Limítalo a las habitaciones que cualquiera puede controlar desde aquí.',
  token: 'Token de API',
  tokenHint: 'Se escribe una sola vez. Se queda en este navegador.',
  submit: 'Mostrar la casa',
  refused:
    'El hub rechaza este token de API. Se ha eliminado, ha caducado o no tiene permiso para ver dispositivos y eventos.',
  settings: 'Esta pantalla',
  back: 'Todas las habitaciones',
  wake: 'Más claro',
  night: 'Oscura de noche',
  nights: { sun: 'Desde la puesta hasta la salida del sol', times: 'Entre dos horas', never: 'Nunca' },
  sunNote:
    'Hace falta un token que pueda ver las automatizaciones y el lugar de la casa. Hasta entonces deciden las horas.',
  from: 'Desde',
  to: 'Hasta',
  forget: 'Olvidar el token',
};
