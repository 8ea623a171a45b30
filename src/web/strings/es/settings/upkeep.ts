import type { upkeep as english } from '#web/strings/en/settings/upkeep.ts';
import { counted } from '#web/strings/es/grammar.ts';
import { ended } from '#web/strings/language/grammar.ts';
import type { Translation } from '#web/strings/language/language.ts';

export const upkeep: Translation<typeof english> = {
  backup: {
    title: 'Copias de seguridad',
    intro:
      'Una copia guarda personas, habitaciones, dispositivos y ajustes. El hub hace una cada día. Guarda una también en otro sitio.',
    empty: 'Aún no hay copias.',
    make: 'Hacer copia ahora',
    making: 'Haciendo copia…',
    made: 'La copia está hecha.',
    kinds: {
      manual: 'Hecha a mano',
      daily: 'Hecha a diario por el hub',
      'pre-migration': 'Antes de una actualización',
      'pre-restore': 'Antes de una restauración',
    },
    download: 'Descargar',
    downloadOf: (when) => `Descargar la copia del ${when}`,
    downloading: 'Descargando…',
    restoreOne: 'Restaurar…',
    restoreOf: (when) => `Restaurar… la copia del ${when}`,
    reading: 'Leyendo…',
    fromFile: 'Desde un archivo',
    fromFileText: 'Restaura una copia que guardaste en otro sitio. El archivo se comprueba antes de cambiar nada.',
    file: 'Archivo de copia',
    restore: 'Restaurar esta copia',
    restoreAsk: '¿Restaurar esta copia?',
    ofFile: (name, size) => `${name}, ${size}`,
    content: ({ when, people, rooms, devices, version }) =>
      [
        `${when}: ${counted(people, 'persona', 'personas')}`,
        counted(rooms, 'habitación', 'habitaciones'),
        counted(devices, 'dispositivo', 'dispositivos'),
        ...(version === null ? [] : [`hub ${version}`]),
      ].join(', '),
    restoreWarnings: [
      'Se pierden las personas, habitaciones, nombres y tokens de API añadidos o cambiados desde entonces.',
      'Las personas quitadas desde entonces vuelven. Las contraseñas siguen como ahora, y los tokens revocados siguen revocados.',
      'Se cierra la sesión de todos los demás, y la tuya si tu cuenta no está en la copia.',
      'Antes, el hub hace una copia de cómo está ahora.',
    ],
    sending: 'Comprobando la copia…',
    waiting: 'El hub se reinicia con la copia…',
    restored: 'La copia está restaurada. Se ha cerrado la sesión de todos los demás.',
    goOn: 'Ir a la página de inicio',
    notBack: 'La copia está restaurada, pero el hub aún no responde. Espera un momento y recarga esta página.',
  },

  troubles: {
    count: (count) => counted(count, 'problema', 'problemas'),
    notConnected: (name, since, lost) =>
      lost === 0
        ? `${name} no está conectado desde ${since}.`
        : `${name} no está conectado desde ${since}: ${counted(lost, 'dispositivo está', 'dispositivos están')} fuera de alcance.`,
    why: (message) => ended(message),
    of: (name, message) => ended(`${name}: ${message}`),
    checkConnection: 'Comprobar la conexión',
    whatToDo: 'Qué hacer',
  },

  health: {
    title: 'Salud',
    well: 'Todo en orden.',
    hub: 'Hub',
    version: 'Versión',
    uptime: 'En marcha',
    database: 'Base de datos',
    databases: {
      ok: 'OK',
      full: 'Llena',
      unavailable: 'No se puede escribir',
      damaged: 'Dañada',
    },
    lastBackup: 'Última copia',
    history: 'Historial en el disco',
    written: 'Escrito hoy',
    disk: 'Disco',
    free: (free, total) => `${free} libres de ${total}`,
    memory: 'Memoria en uso',
    clients: 'Conexiones abiertas',
    clock: 'Reloj',
    clockSynced: 'puesto por un servicio de hora',
    clockUnsynced: 'sin servicio de hora',
    addresses: 'Direcciones',
    machine: 'Ordenador',
    hostname: 'Nombre en la red',
    system: 'Sistema',
    kernel: 'Núcleo',
    node: 'Node.js',
    processors: 'Procesadores',
    machineMemory: 'Memoria',
    machineUptime: 'Encendido',
    databaseTroubles: {
      export: [
        'Un receptor del historial no acepta nada.',
        'El hub sigue intentándolo y no pierde nada mientras el historial lo conserve. «Exportaciones» en los ajustes dice por qué.',
      ],
      full: [
        'El disco está lleno.',
        'Los dispositivos aún funcionan, pero no se guarda nada nuevo. Libera espacio en el ordenador del hub.',
      ],
      unavailable: [
        'No se puede escribir en el disco.',
        'No se guarda nada nuevo. Comprueba el disco o la tarjeta de memoria: puede estar gastada.',
      ],
      damaged: [
        'La base de datos está dañada.',
        'Descarga una copia ahora y reinicia el hub: vuelve solo a la última copia buena.',
      ],
      read_only: [
        'El disco es de solo lectura.',
        'El hub trabaja con una copia que se pierde al reiniciar. Cambia la tarjeta de memoria o el disco.',
      ],
      recovered: [
        'La base de datos estaba dañada, y el hub volvió a una copia.',
        'Falta lo que cambió después de esa copia. Si vuelve a pasar, cambia la tarjeta de memoria o el disco.',
      ],
      emptied: [
        'La base de datos estaba dañada, y no había ninguna copia buena.',
        'Restaura una que guardaste en otro sitio, en «Copias de seguridad».',
      ],
      backup: [
        'La última copia falló.',
        'Casi siempre el disco está lleno. Libera espacio y haz una en «Copias de seguridad».',
      ],
      history: [
        'Ya no se registra nada.',
        'El disco no acepta historial, así que los gráficos tienen un hueco desde ahora. Libera espacio o comprueba el disco.',
      ],
      low: [
        'El disco está casi lleno.',
        'Libera espacio en el ordenador del hub. Cuando el disco esté lleno, no se guardará nada nuevo.',
      ],
      clock: [
        'El reloj del hub no está en hora.',
        'Hasta entonces las horas pueden estar mal. Las sesiones no se ven afectadas. Conecta el ordenador a un servidor de hora: ejecuta en él «timedatectl set-ntp true».',
      ],
      SAFE_MODE: [
        'Una integración está parada, porque el hub se cayó dos veces poco después de recibir algo de ella.',
        'Busca allí la causa y vuelve a iniciarla en su página, en «Integraciones».',
      ],
      TOO_MANY_DEVICES: [
        'Una integración envió más dispositivos de los que caben en una casa.',
        'El hub conserva los dispositivos que tenía. Averigua qué envía esa lista: quizá alguien más usa la misma conexión.',
      ],
      DEVICES_TOO_LARGE: [
        'Una integración envió dispositivos que juntos son demasiado grandes para el hub.',
        'El hub conserva los dispositivos que tenía. Averigua qué envía esa lista: quizá alguien más usa la misma conexión.',
      ],
    },
  },
};
