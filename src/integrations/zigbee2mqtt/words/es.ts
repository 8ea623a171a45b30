import { frame } from '#integrations/words/es.ts';
import type { Translation } from '#words/texts.ts';
import type { errors as errorsInEnglish, words as en } from './en.ts';

export const words: Translation<typeof en> = {
  kind: {
    name: 'Zigbee2MQTT',
    about: 'Dispositivos Zigbee detrás de un Zigbee2MQTT, al que el hub llega por un broker MQTT.',
    pairingHint:
      'Pon el dispositivo en modo de emparejamiento: casi siempre manteniendo su botón cinco segundos, o encendiendo y apagando una lámpara cinco veces. Déjalo a pocos metros del adaptador Zigbee.',
    help: [
      'Conecta un adaptador Zigbee a este ordenador o a otro de la casa.',
      'Instala allí Zigbee2MQTT (zigbee2mqtt.io) y dale la dirección de un broker MQTT.',
      'Da al hub la dirección del mismo broker. Los dispositivos aparecen solos.',
    ],
  },
  settings: {
    broker: frame.broker,
    base_topic: { label: 'Tema base', hint: 'Como en los ajustes de Zigbee2MQTT (mqtt.base_topic)' },
  },
};

export const errors: Translation<typeof errorsInEnglish> = {
  BRIDGE_OFFLINE: 'Zigbee2MQTT no está en marcha',
  BRIDGE_SILENT: 'El broker MQTT no tiene ningún mensaje de Zigbee2MQTT bajo el tema {topic}',
  DEVICES_MISSING: 'El broker MQTT ha perdido la lista de dispositivos: reinicia Zigbee2MQTT',
  STATES_NOT_READ: 'Faltan valores: pon advanced.output de Zigbee2MQTT en json o attribute_and_json y reinícialo',
};
