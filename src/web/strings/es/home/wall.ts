import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const wall: Dictionary['wall'] = {
  title: 'Tableta de pared',
  askTitle: 'Mostrar la casa en esta pantalla',
  steps: [
    'Apunta la cámara de tu teléfono al código. O abre allí Ajustes › Tabletas de pared y escribe las cifras.',
    'Elige qué puede hacer esta pantalla y permítelo.',
  ],
  thisScreen: (name) => `Esta pantalla: ${name}`,
  qr: 'Código QR para la cámara de tu teléfono',
  byToken: 'Usar un token de API',
  wasRefused: 'Esta pantalla ha sido rechazada.',
  askAgain: 'Preguntar otra vez',
  states: {
    away: 'El hub no responde. Esta pantalla sigue intentándolo.',
    busy: 'En un momento llegan cifras nuevas…',
    unclaimed: 'El hub aún no tiene propietario. Configúralo primero, en un teléfono o un ordenador.',
  },
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
