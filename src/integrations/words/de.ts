import type { Translation } from '#words/texts.ts';
import type { frame as en } from './en.ts';

export const frame: Translation<typeof en> = {
  broker: { label: 'MQTT-Broker' },
  exposeHint:
    'Geräte in diesen Räumen und diese Geräte erscheinen dort. Türen und Schlösser nur, wenn du sie einzeln auswählst',
  token: {
    label: 'API-Token für Befehle von dort',
    hint: 'Was angeboten ist, lässt sich von dort so weit bedienen, wie dieses Token es darf; ohne eines wird es nur gezeigt',
  },
  udpPort: {
    label: 'UDP-Port',
    hint: 'Ein anderer braucht SocketBindAllow=udp: mit seiner Nummer in der Unit des Dienstes',
  },
  steps: { asking_host: 'Fragt, was unter dieser Adresse ist …' },
  faults: { outside: 'Ist keine Adresse im Heimnetz', silent: 'Antwortet nicht' },
};
