import type { notificationTexts as english } from '#words/en/notifications.ts';
import type { Translation } from '#words/texts.ts';

const DIGEST =
  '{critical} críticos, {warning} advertencias, {info} informativos. Llegaron demasiados en poco tiempo, por eso estos no se muestran uno a uno.';
const AMONG = 'Entre los dispositivos: {devices}.';

export const notificationTexts: Translation<typeof english> = {
  water: { title: 'Agua: {device}', text: 'El sensor indica agua.' },
  smoke: { title: 'Humo: {device}', text: 'El detector indica humo.' },
  carbon_monoxide: {
    title: 'Monóxido de carbono: {device}',
    text: 'El detector indica monóxido de carbono. No huele: saca a todos fuera y ventila.',
  },
  gas: { title: 'Gas: {device}', text: 'El detector indica gas.' },
  water_inside: { title: 'Agua en casa', text: 'Un sensor indica agua.' },
  smoke_inside: { title: 'Humo en casa', text: 'Un detector indica humo.' },
  carbon_monoxide_inside: {
    title: 'Monóxido de carbono en casa',
    text: 'Un detector indica monóxido de carbono. No huele: ventila y sal al exterior.',
  },
  gas_inside: { title: 'Gas en casa', text: 'Un detector indica gas.' },
  lock_jammed: { title: '{device} está atascado', text: 'La cerradura no pudo mover su cerrojo del todo.' },
  battery_low: { title: 'Batería baja: {device}', text: 'Cárgala o cámbiala pronto.' },
  device_offline: {
    title: '{device} lleva un día sin conexión',
    text: 'El hub no llega a él. Mira si tiene corriente y si sigue a su alcance.',
  },
  integration_down: {
    title: '{integration} lleva cinco minutos sin conexión',
    text: 'No se llega a sus dispositivos.',
  },
  battery_low_many: { title: '{count} baterías están bajas', text: '{which}' },
  device_offline_many: { title: '{count} dispositivos llevan un día sin conexión', text: '{which}' },
  integration_down_many: { title: '{count} integraciones están sin conexión', text: '{which}' },
  integration_failed: { title: '{integration} lleva cinco minutos sin conexión' },
  backup_failed: { title: 'La última copia de seguridad falló' },
  disk_nearly_full: {
    title: 'El disco está casi lleno',
    text: 'Quedan {free_mib} MiB libres. Un disco lleno detiene las copias de seguridad y el historial.',
  },
  history_paused: {
    title: 'El historial está en pausa',
    text: 'No se puede escribir en el disco: los valores de los dispositivos no se registran ahora.',
  },
  too_much_for_day: {
    title: '{name} envía más de lo que se puede guardar',
    text: 'Sus valores se muestran, pero faltan en el historial durante el resto del día.',
  },
  too_much_for_month: {
    title: '{name} envía más de lo que se puede guardar',
    text: 'Sus valores se ven, pero faltan en el historial durante el resto del mes. Haz que se registre menos a menudo, o da más espacio al historial.',
  },
  automation_looped: {
    title: '{automation} se detuvo',
    text: 'Se iniciaba una y otra vez. Queda detenida {for_s}.',
  },
  automation_circled: {
    title: '{automation} se detuvo',
    text: 'Unas automatizaciones se iniciaban a otras una y otra vez: {way}. Queda detenida {for_s}.',
  },
  automation_fought: {
    title: '{automation} se detuvo',
    text: 'Junto con otras movía {device} de un lado a otro. Queda detenida {for_s}.',
  },
  signer_gone: {
    title: '{automation} ya no puede ejecutarse',
    text: 'Quien la guardó por última vez, o su token de API, ya no está. Volverá a ejecutarse cuando alguien con los permisos se los dé.',
  },
  signer_lacks_right: {
    title: '{automation} ya no puede ejecutarse',
    text: 'A quien la guardó por última vez le falta un permiso que necesita. Volverá a ejecutarse cuando alguien con los permisos se los dé.',
  },
  digest: { title: '{count} avisos más de {name}', text: DIGEST },
  digest_of_one: { title: '{count} aviso más de {name}', text: DIGEST },
  digest_among: { title: '{count} avisos más de {name}', text: `${DIGEST} ${AMONG}` },
  digest_of_one_among: { title: '{count} aviso más de {name}', text: `${DIGEST} ${AMONG}` },
  test: { title: 'Esto es una prueba', text: 'Tu hub puede enviar avisos aquí.' },
};
