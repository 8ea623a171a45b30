import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Z-Wave JS',
    about: 'Dispositivos Z-Wave, por un servidor Z-Wave JS que tiene la llave de radio.',
    help: [
      'Ejecuta Z-Wave JS UI, o el servidor Z-Wave JS sin más, en la máquina con la llave de radio, y activa su servidor WebSocket.',
      'Ese servidor no tiene contraseña: quien llegue a su puerto puede abrir tus cerraduras. Deja que solo llegue el hub, con un cortafuegos o ejecutándolo en la máquina del hub.',
      'El hub encuentra el servidor, o toma su dirección.',
    ],
  },
  settings: {
    host: { label: 'Dirección del servidor', hint: 'Por ejemplo 192.168.1.30:3000.' },
    take_rooms: { label: 'Poner los dispositivos nuevos en las habitaciones que el servidor tiene como lugares' },
  },
  steps: frame.steps,
  faults: {
    ...frame.faults,
    no_server: 'No es la dirección de un servidor Z-Wave JS',
    other_network: 'Es la dirección de otra red Z-Wave, no de la encontrada',
    too_old: 'Es la de un servidor demasiado antiguo: actualízalo',
    too_new: 'Es la de un servidor demasiado nuevo para este hub: actualiza el hub',
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  SERVER_UNREACHABLE: 'No se llega al servidor',
  SERVER_SILENT: 'El servidor no da señales',
  SERVER_RESTARTED: 'El servidor se reinició',
  BAD_ANSWER: 'La respuesta no se entiende',
  OTHER_NETWORK: 'Allí hay otra red',
  SERVER_TOO_OLD: 'El servidor es demasiado antiguo',
  SERVER_TOO_NEW: 'El servidor es más nuevo de lo que conoce el hub',
};
