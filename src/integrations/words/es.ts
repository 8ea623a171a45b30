import type { Translation } from '#words/texts.ts';
import type { frame as en } from './en.ts';

export const frame: Translation<typeof en> = {
  broker: { label: 'Broker MQTT' },
  exposeHint:
    'Los dispositivos de estas habitaciones, y estos dispositivos, aparecen allí. Las puertas y cerraduras, solo si las eliges una a una',
  token: {
    label: 'Token de API para órdenes de allí',
    hint: 'Lo ofrecido se puede usar desde allí hasta donde permita este token; sin él solo se muestra',
  },
  udpPort: {
    label: 'Puerto UDP',
    hint: 'Otro necesita SocketBindAllow=udp: con su número en la unidad del servicio',
  },
  steps: { asking_host: 'Preguntando qué hay en esta dirección…' },
  faults: { outside: 'No es una dirección de la red de casa', silent: 'No responde' },
};
