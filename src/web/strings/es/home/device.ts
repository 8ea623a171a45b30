import type { Dictionary } from '#web/strings/language/dictionary.ts';

export const device: Dictionary['device'] = {
  usedIn: 'Se usa en',
  details: 'Detalles',
  now: 'Ahora',
  nouns: { light: 'Luz', plug: 'Enchufe', lock: 'Cerradura', cover: 'Persiana' },
  since: (state, time, by) => `${state} desde ${time}${by === '' ? '' : `, ${by}`}`,
  heating: (percent) => (percent === '' ? 'Calienta' : `Calienta, ${percent}`),
  cooling: 'Enfría',
  idle: 'No calienta',
  presets: 'Colores',
  colors: {
    red: 'Rojo',
    orange: 'Naranja',
    yellow: 'Amarillo',
    green: 'Verde',
    turquoise: 'Turquesa',
    blue: 'Azul',
    violet: 'Violeta',
    pink: 'Rosa',
  },
  advice: {
    battery: 'Quizá tenga la batería agotada. Cámbiala y pulsa un botón del dispositivo.',
    mains: 'Comprueba que tiene corriente: quizá un interruptor de pared esté apagado.',
  },
};
