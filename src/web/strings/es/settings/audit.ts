import type { audit as english } from '#web/strings/en/settings/audit.ts';
import { counted, listed } from '#web/strings/es/grammar.ts';
import type { Translation } from '#words/texts.ts';

type Words = Readonly<Record<string, string>>;

export const audit: Translation<typeof english> = {
  title: 'Registro',
  filter: 'Mostrar',
  filters: { all: 'Todo', changes: 'Cambios', doors: 'Puertas', logins: 'Entradas', refusals: 'Rechazados' },
  empty: 'No hay entradas de este tipo.',
  older: 'Mostrar entradas anteriores',
  end: 'No hay entradas anteriores.',
  gone: 'Alguien cuya cuenta se quitó',
  console: 'Alguien en la línea de órdenes del hub',
  hub: 'El hub',
  from: (peer) => `Desde ${peer}`,
  byToken: 'con un token de API',
  times: (count) => counted(count, 'vez', 'veces'),
  timesSince: (count, since) => `${counted(count, 'vez', 'veces')} desde ${since}`,
  clockUnset:
    'Ningún servidor de hora ha confirmado las horas con ≈: las ha dicho una persona o son estimadas. El orden es correcto.',
  marks: {
    'in all off by its type': '«Apagar todo» según su tipo',
    'not in all off': 'sigue encendido con «Apagar todo»',
    'in all off': 'se apaga con «Apagar todo»',
    'not sensitive': 'sin proteger',
    sensitive: 'protegido',
  },
  details: {
    automation: (who, name, done) => `${who} ${done} la automatización ${name}.`,
    done: {
      changed: 'cambió',
      started: 'inició',
      stopped: 'detuvo',
      reset: 'desbloqueó',
      reverted: 'devolvió a una versión anterior',
      enabled: 'activó',
      disabled: 'desactivó',
      signed: 'aprobó',
      restored: 'restauró',
    },
    resumed: (who) => `${who} dejó seguir todas las automatizaciones.`,
    template: (who, id, isRemoved) => `${who} ${isRemoved ? 'quitó' : 'cambió'} la plantilla ${id}.`,
    replaced: (who, from, to) => `${who} cambió ${from} por ${to} en las automatizaciones.`,
    kept: (days, size, rules) =>
      listed([
        counted(days, 'día', 'días'),
        ...(size === null ? [] : [`como mucho ${size}`]),
        counted(rules, 'regla', 'reglas'),
      ]),
    series: (count) => counted(count, 'serie', 'series'),
    consumers: (count) => counted(count, 'consumidor', 'consumidores'),
    switched: (what, isOn) => `«${what}» ${isOn ? 'activado' : 'desactivado'}`,
  },
  sentences: {
    'hub.claimed': ({ who }) => `${who} se hizo propietario de este hub.`,
    'user.added': ({ who, whom, detail }) =>
      detail === null ? `${who} añadió a ${whom}.` : `${who} añadió a ${whom}, como ${detail}.`,
    'user.changed': ({ who, whom, isOwn, detail }) =>
      isOwn
        ? `${who} cambió su propia cuenta${fields(detail)}.`
        : `${who} cambió la cuenta de ${whom}${fields(detail)}.`,
    'user.ended': ({ who }) => `La cuenta de ${who} se cerró, porque su tiempo terminó.`,
    'user.removed': ({ who }) => `${who} quitó una cuenta.`,
    'password.changed': ({ who, whom, isOwn }) =>
      isOwn ? `${who} cambió su contraseña.` : `${who} puso una contraseña nueva a ${whom}.`,
    'api_token.added': ({ who }) => `${who} creó un token de API.`,
    'api_token.removed': ({ who, whom, isOwn }) =>
      isOwn ? `${who} revocó un token de API.` : `${who} revocó un token de API de ${whom}.`,
    'backup.made': ({ who }) => `${who} hizo una copia de seguridad.`,
    'backup.downloaded': ({ who }) => `${who} descargó una copia de seguridad.`,
    'backup.restored': ({ who }) => `${who} restauró una copia de seguridad.`,
    'history.imported': ({ who }) => `${who} importó un historial.`,
    'hub.renamed': ({ who }) => `${who} cambió el nombre del hub.`,
    'hub.changed': ({ who }) => `${who} cambió el idioma, el lugar o la hora del hub.`,
    'integration.added': ({ who, detail }) => `${who} añadió la integración ${detail}.`,
    'integration.changed': ({ who, detail }) => `${who} cambió ajustes: ${changed(detail)}.`,
    'integration.removed': ({ who, detail }) => `${who} quitó la integración ${removed(detail)}.`,
    'integration.ignored': ({ who, detail }) => `${who} ocultó algo de tipo ${detail} que el hub encontró.`,
    'integration.restored': ({ who, detail }) => `${who} ya no oculta algo de tipo ${detail} que el hub encontró.`,
    'pairing.opened': ({ who }) => `${who} dejó entrar dispositivos nuevos.`,
    'automation.added': ({ who, detail }) => `${who} añadió la automatización ${detail}.`,
    'automation.changed': ({ who, detail }) => `${who} cambió la automatización ${detail}.`,
    'automation.called': ({ detail }) => `Se llamó al hook ${detail}.`,
    'automation.removed': ({ who, detail }) => `${who} puso la automatización ${detail} en la papelera.`,
    'device.removed': ({ who, detail }) => `${who} quitó el dispositivo ${detail}.`,
    'device.marked': ({ who, detail }) => `${who} marcó un dispositivo: ${detail}.`,
    'recording.changed': ({ who, detail }) => `${who} cambió qué se registra: ${detail}.`,
    'history.changed': ({ who, detail }) => `${who} cambió cuánto dura el historial: ${detail}.`,
    'history.deleted': ({ who, detail }) => `${who} borró historial: ${detail}.`,
    'energy.changed': ({ who }) => `${who} cambió los ajustes de energía.`,
    'energy.deleted': ({ who, detail }) => `${who} borró cuentas de energía: ${detail}.`,
    'energy.recalculated': ({ who, detail }) => `${who} recalculó el coste de la energía desde ${detail}.`,
    'webhook.added': ({ who, detail }) => `${who} añadió un webhook a ${detail}.`,
    'webhook.changed': ({ who, detail }) => `${who} cambió el webhook a ${detail}.`,
    'webhook.removed': ({ who, detail }) => `${who} quitó el webhook a ${detail}.`,
    'notification_channel.added': ({ who, detail }) => `${who} añadió el canal ${detail}.`,
    'notification_channel.changed': ({ who, detail }) => `${who} cambió el canal ${detail}.`,
    'notification_channel.removed': ({ who, detail }) => `${who} quitó el canal ${detail}.`,
    'notification.changed': ({ who, detail }) => `${who} cambió los avisos: ${detail}.`,
    'exporter.added': ({ who, detail }) => `${who} añadió una exportación a ${detail}.`,
    'exporter.changed': ({ who, detail }) => `${who} cambió la exportación a ${detail}.`,
    'exporter.removed': ({ who, detail }) => `${who} quitó la exportación a ${detail}.`,
    'exporter.replayed': ({ who, detail }) => `${who} envió otra vez el historial a ${detail}.`,
    'command.given': ({ who, detail }) => `${who} envió una orden a ${detail}.`,
    'token.reused': ({ whom }) =>
      `Se cerró una sesión de ${whom}, porque su token se usó dos veces y quizá fue robado. En caso de duda, cambia la contraseña.`,
    'login.succeeded': ({ who }) => `${who} entró.`,
    'session.revoked': ({ who, detail }) =>
      detail === 'logout'
        ? `${who} salió.`
        : detail === 'all_others'
          ? `${who} salió de todo lo demás.`
          : `${who} cerró una sesión.`,
    'login.failed': ({ whom }) =>
      whom === null
        ? 'Alguien intentó entrar con un correo desconocido.'
        : `Alguien intentó entrar como ${whom} con una contraseña equivocada.`,
    'login.throttled': ({ whom }) =>
      whom === null
        ? 'Se frenaron demasiados intentos de entrar.'
        : `Se frenaron demasiados intentos de entrar como ${whom}.`,
    'wall_code.refused': ({ who }) => `${who} escribió las cifras de una tableta de pared que ninguna tableta muestra.`,
    'password.refused': ({ who }) => `${who} escribió una contraseña equivocada cuando se le pidió.`,
    'claim.failed': () => 'Alguien probó un código de propiedad equivocado.',
    'token.refused': () => 'Alguien usó un token no válido.',
    'request.refused': ({ detail }) => `Se rechazó una petición${refusal(detail)}.`,
  },
};

const FIELDS: Words = { email: 'correo', name: 'nombre', password: 'contraseña', role: 'rol' };

function fields(detail: string | null): string {
  const names = (detail ?? '').split(',').flatMap((name) => FIELDS[name] ?? []);
  return names.length === 0 ? '' : `: ${listed(names)}`;
}

const SETTINGS: Words = {
  address: 'dirección',
  base_topic: 'tema base',
  enabled: 'activado o no',
  name: 'nombre',
  password: 'contraseña',
  user: 'usuario',
};

function removed(detail: string | null): string {
  const [id = '', devices] = (detail ?? '').split(' ');
  return devices === 'remove' ? `${id} y sus dispositivos` : id;
}

function changed(detail: string | null): string {
  const [id = '', names = ''] = (detail ?? '').split(' ');
  const words = names.split(',').flatMap((name) => SETTINGS[name] ?? []);
  return words.length === 0 ? id : `${id} (${listed(words)})`;
}

const REFUSALS: Words = {
  peer: ', porque vino de fuera de la casa',
  proxied_request: ', porque vino por un proxy',
  misdirected_request: ', porque era para otro nombre',
  origin_refused: ', porque la envió una página de otro sitio',
};

function refusal(detail: string | null): string {
  return detail === null ? '' : (REFUSALS[detail] ?? `: ${detail}`);
}
