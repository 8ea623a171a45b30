import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { ended } from '#web/strings/language/grammar.ts';
import { counted } from './grammar.ts';

export const troubles: Dictionary['troubles'] = {
  notConnected: (name, since, lost) =>
    lost === 0
      ? `${name} no está conectado desde ${since}.`
      : `${name} no está conectado desde ${since}: ${counted(lost, 'dispositivo está', 'dispositivos están')} fuera de alcance.`,
  why: (message) => ended(message),
  of: (name, message) => ended(`${name}: ${message}`),
  checkConnection: 'Comprobar la conexión',
  whatToDo: 'Qué hacer',
  resume: 'Volver a ejecutar las automatizaciones',
  ofHub: {
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
    set_aside: [
      'No se pudo leer un registro de la base de datos, y el hub prescinde de él.',
      'Se conserva 90 días. «hearthd doctor», en el ordenador del hub, dice cuál es: configúralo de nuevo o restaura una copia.',
    ],
    backup: [
      'La última copia falló.',
      'Casi siempre el disco está lleno. Libera espacio y haz una en «Copias de seguridad».',
    ],
    history: [
      'Ya no se registra nada.',
      'El disco no acepta historial, así que los gráficos tienen un hueco desde ahora. Libera espacio o comprueba el disco.',
    ],
    history_left_out: [
      'Un dispositivo envía más de lo que se puede guardar.',
      'Ha gastado su parte del día o del mes: sus gráficos tienen un hueco hasta que termine, y las notificaciones lo nombran. Haz que se registre menos a menudo, o da más espacio al historial.',
    ],
    history_files: [
      'Un archivo del historial no se puede usar.',
      'Lo que contiene falta en los gráficos. Casi siempre lo copió otro usuario: dáselo al usuario del hub, por ejemplo con «chown hearthd: /var/lib/hearthd/history/*». El registro nombra el archivo.',
    ],
    low: [
      'El disco está casi lleno.',
      'Libera espacio en el ordenador del hub. Cuando el disco esté lleno, no se guardará nada nuevo.',
    ],
    clock: [
      'El reloj del hub no está en hora.',
      'Hasta entonces las horas pueden estar mal. Las sesiones no se ven afectadas. Conecta el ordenador a un servidor de hora: ejecuta en él «timedatectl set-ntp true».',
    ],
    automations: [
      'No se ejecuta ninguna automatización, porque el hub se cayó tres veces en una hora mientras trataba una.',
      'Busca allí la causa: desactiva o elimina lo último que se cambió. Después, vuelve a ejecutar las demás.',
    ],
    SAFE_MODE: [
      'Una integración está parada, porque el hub se cayó tres veces en una hora mientras trataba lo que había enviado.',
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
};
