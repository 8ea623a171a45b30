import { counted } from './grammar.ts';
import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { devices } from './devices.ts';

export const page: Dictionary['page'] = {
  ...devices,
  locale: 'es',
  product: 'hearthd',
  close: 'Cerrar',
  cancel: 'Cancelar',
  back: 'Atrás',
  retry: 'Volver a intentarlo',
  on: 'Encendido',
  off: 'Apagado',
  yes: 'Sí',
  no: 'No',
  none: '–',
  choose: 'Elegir…',
  loading: 'Cargando…',
  skipToContent: 'Ir al contenido',

  hub: {
    connecting: 'Conectando…',
    reconnecting: 'Reconectando…',
    unreachableTitle: 'El hub no responde',
    unreachableText:
      'Comprueba que el hub está encendido y que este dispositivo está en la red de casa. Desde fuera de casa no se llega al hub. Esta página se vuelve a conectar sola.',
    away: (since) =>
      `El hub no responde. Así estaba tu casa a las ${since}. Comprueba que este dispositivo está en la red de casa. La página se vuelve a conectar sola.`,
    clockApart: (apart) =>
      `Los relojes del hub y de este dispositivo se diferencian en ${apart}. Las horas de esta página son las del hub.`,
    zoneApart: (zone, now) => `Las horas de esta página son las de tu casa (${zone}). Allí son ahora las ${now}.`,
  },

  setup: {
    title: 'Te damos la bienvenida a casa',
    intro: 'Este hub todavía no es de nadie. Crea la primera cuenta y será tuyo.',
    claimCode: 'Código de propiedad',
    claimCodeHint: 'En el ordenador del hub, escribe:',
    claimCommand: (hubCommand) => `${hubCommand} claim`,
    name: 'Tu nombre',
    nameHint: 'El que conocen los demás en casa.',
    steps: 'Primeros pasos',
    step: { you: 'Tú', home: 'Tu casa', devices: 'Dispositivos' },
    submit: 'Crear la cuenta',
    busy: 'Creando…',
  },

  login: {
    title: (hubName) => `Entrar en ${hubName}`,
    submit: 'Entrar',
    busy: 'Entrando…',
    ended: 'Se ha cerrado tu sesión: ha caducado, o se cerró en otra pestaña o en otro dispositivo.',
    forgot: '¿Has olvidado tu contraseña?',
    forgotText: 'Pide una nueva a un propietario o administrador de esta casa. O, en el ordenador del hub, escribe:',
    forgotCommand: (hubCommand, email) => `${hubCommand} user password ${email === '' ? 'CORREO' : email}`,
    wait: (seconds) => `Demasiados intentos. Vuelve a intentarlo en ${counted(seconds, 'segundo', 'segundos')}.`,
  },

  field: {
    email: 'Correo electrónico',
    password: 'Contraseña',
    newPassword: 'Contraseña nueva',
    showPassword: 'Mostrar la contraseña',
    hidePassword: 'Ocultar la contraseña',
    required: 'Hace falta',
    passwordMeter: (length, needed) =>
      length >= needed ? `${length} caracteres` : `${length} de ${needed} caracteres`,
    passwordGood: (length) => `${length} caracteres: una buena contraseña`,
    passwordHint: 'Al menos 10 caracteres. Unas cuantas palabras seguidas se recuerdan bien.',
  },

  allOff: 'Apagar todo',
  modeName: 'Modo',
  modes: { home: 'Casa', away: 'Fuera', night: 'Noche', vacation: 'Vacaciones' },

  nav: {
    home: 'Casa',
    history: 'Historial',
    rules: 'Automatizaciones',
    settings: 'Ajustes',
    notifications: (count) => (count === 0 ? 'Avisos' : `Avisos: ${count} por ver`),
    label: 'Menú principal',
  },

  home: {
    title: 'Casa',
    noRoom: 'Sin habitación',
    search: 'Buscar dispositivos',
    searchKey: '/',
    cardKeys: 'En una tarjeta, las flechas arriba y abajo pasan de un control a otro.',
    filter: 'Mostrar',
    allRooms: 'Todas las habitaciones',
    room: 'Habitación',
    kinds: {
      all: 'Todos',
      light: 'Luces',
      plug: 'Enchufes',
      climate: 'Clima',
      cover: 'Persianas',
      lock: 'Cerraduras',
      sensor: 'Sensores',
      remote: 'Mandos',
      other: 'Otros',
      attention: 'Necesita atención',
    },
    count: (count) => counted(count, 'dispositivo', 'dispositivos'),
    found: (count) =>
      count === 0
        ? 'Ningún dispositivo encontrado'
        : counted(count, 'dispositivo encontrado', 'dispositivos encontrados'),
    nothingFound: 'Ningún dispositivo encontrado.',
    showAll: 'Mostrar todos los dispositivos',
    emptyTitle: 'Aún no hay dispositivos',
    emptyText: 'Los dispositivos aparecen aquí en cuanto se emparejan.',
    emptyAdd: 'Añadir dispositivos',
    emptyLimited: 'No hay nada en las habitaciones que puedes usar. Pregunta a un propietario o administrador.',
    emptyGuest: 'Pide a un propietario o administrador que añada alguno.',
    lightsOn: (count) => counted(count, 'luz encendida', 'luces encendidas'),
    lastDay: (min, max) => `Últimas 24 horas: de ${min} a ${max}`,
    lightsOff: 'Apagar las luces',
    theseOff: (count) => (count === 1 ? 'Apagar esta' : `Apagar estas ${count}`),
    offIn: (action, room) => `${action}: ${room}`,
  },

  device: {
    notFoundTitle: 'Dispositivo no encontrado',
    notFoundText: 'Quizá se haya quitado.',
    toHome: 'Todos los dispositivos',
    controls: 'Controles',
    readings: 'Mediciones',
    actions: 'Acciones',
    config: 'Ajustes del dispositivo',
    diagnostic: 'Diagnóstico',
    about: 'Acerca de este dispositivo',
    manufacturer: 'Fabricante',
    model: 'Modelo',
    firmware: 'Firmware',
    integration: 'Conectado por',
    address: 'Dirección',
    selector: 'Nombre en la API',
    lastSeen: 'Última señal',
    never: 'Nunca',
    batteryLow: 'Batería baja',
    offline: 'Sin conexión',
    cutOff: 'Fuera de alcance',
    asleep: 'Este dispositivo duerme. Avisa cuando despierta, y entonces recibe tus cambios.',
    offlineWhy: (why) => (why === '' ? 'No disponible ahora.' : `No disponible ahora: ${why}.`),
    unknownWhy: (why) => (why === '' ? 'Su estado se desconoce ahora.' : `Su estado se desconoce ahora: ${why}.`),
    states: { online: 'En línea', offline: 'Sin conexión', asleep: 'Dormido', unknown: 'Desconocido' },
    reasons: {
      no_response: 'no responde',
      integration_down: 'su integración no está conectada',
      integration_off: 'su integración está desactivada',
      no_report: 'no ha dado señales desde que arrancó el hub',
      bridge_offline: 'su puente está sin conexión',
      asleep: 'duerme',
      disabled: 'está desactivado en su puente',
      interviewing: 'todavía se está leyendo',
      not_announced: 'ya no se anuncia',
    },
  },

  trust: {
    changed: 'Cambiado',
    assumed: 'Enviado, aún sin confirmar',
    sending: 'enviando…',
    waiting: 'Espera a que el dispositivo despierte',
    lastKnown: 'Último valor conocido',
    lastKnownShort: 'último conocido',
    none: 'Aún sin valor',
  },

  control: {
    hue: 'tono',
    saturation: 'saturación',
    degrees: (degrees) => `${degrees} grados`,
    percent: (percent) => `${percent} por ciento`,
    openIt: 'Abrir',
    closeIt: 'Cerrar',
    stopIt: 'Parar',
    warmer: 'Más calor',
    colder: 'Más frío',
    more: 'Más',
    less: 'Menos',
    setPoint: 'Consigna',
    lock: 'Cerrar con llave',
    unlock: 'Abrir con llave',
    apply: 'Aplicar',
    value: (name) => `${name}: valor nuevo`,
    kelvin: (kelvin) => `${kelvin} kelvin`,
    hueWords: (hue, saturation) => `tono ${hue} grados, saturación ${saturation} por ciento`,
  },

  state: {
    open: 'Abierto',
    closed: 'Cerrado',
    partlyOpen: (percent) => `${percent} % abierto`,
    locked: 'Cerrado con llave',
    unlocked: 'Sin llave',
    motion: 'Movimiento',
    noMotion: 'Sin movimiento',
    presence: 'Hay alguien',
    noPresence: 'No hay nadie',
    wet: '¡Agua!',
    dry: 'Seco',
    alarm: '¡Alarma!',
    quiet: 'OK',
    heating: 'calienta',
    someOn: (on, all) => `${on} de ${all} encendidos`,
    noPress: 'Aún sin pulsar',
  },

  presses: {
    single: 'Pulsado una vez',
    double: 'Pulsado dos veces',
    triple: 'Pulsado tres veces',
    hold: 'Mantenido',
    release: 'Soltado',
  },

  units: {
    percent: '%',
    celsius: '°',
    'ug/m3': 'µg/m³',
    'mg/m3': 'mg/m³',
    m3: 'm³',
    'm3/h': 'm³/h',
    'Bq/m3': 'Bq/m³',
  },

  command: {
    notConfirmed: 'Sin confirmar',
    noAnswer:
      'El hub no ha respondido: puede que se haya hecho, o no. Comprueba que este dispositivo está en la red de casa.',
    sent: (device, action) => `${device}: ${action} enviado`,
    failed: (device, why) => `${device} no lo ha hecho: ${why}`,
    unconfirmed: (device) => `La orden se envió, pero ${device} no la ha confirmado.`,
    expired: (device) => `${device} no despertó a tiempo.`,
    offline: (device) => `${device} está sin conexión.`,
    down: (device) => `No se llega a ${device}: su integración no está conectada.`,
    gone: (device) => `${device} ya no está en la casa.`,
  },

  rights: {
    ownerOnly: 'Solo para propietarios',
    adminsOnly: 'Solo para propietarios y administradores',
    notGuests: 'Los invitados no ven esto',
    guestLock: 'Los invitados no pueden abrir cerraduras',
    guestGarage: 'Los invitados no pueden abrir el garaje',
    guestValve: 'Los invitados no pueden usar válvulas',
    guestAlarm: 'Los invitados no pueden usar alarmas',
    guestMarked: 'Los invitados no pueden usar este dispositivo',
  },

  problem: {
    network: 'El hub no responde. Comprueba que este dispositivo está en la red de casa.',
    forbidden: 'Tu cuenta no puede hacer esto.',
    busy: 'El hub está ocupado. Inténtalo dentro de un momento.',
    restarting: 'El hub se está reiniciando. Inténtalo dentro de un momento.',
    unknown: 'Eso no ha funcionado.',
  },

  time: {
    justNow: 'ahora mismo',
    minutes: (count) => `hace ${count} min`,
    hours: (count) => `hace ${count} h`,
    yesterday: (time) => `ayer, ${time}`,
    since: (time) => `desde ${time}`,
    apart: (minutes) =>
      minutes < 120
        ? counted(minutes, 'minuto', 'minutos')
        : minutes < 2880
          ? counted(Math.round(minutes / 60), 'hora', 'horas')
          : counted(Math.round(minutes / 1440), 'día', 'días'),
  },

  notFound: {
    title: 'Página no encontrada',
    text: 'Comprueba que la dirección está bien escrita.',
  },
};
