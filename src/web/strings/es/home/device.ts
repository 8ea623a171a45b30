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
  wheel: 'Cualquier color',
  whites: { warm: 'Cálido', neutral: 'Neutro', cool: 'Frío' },
  dangers: { water_leak: 'Agua', smoke: 'Humo', gas_leak: 'Gas', co_alarm: 'Monóxido de carbono' },
  whatToDo: 'Qué hacer',
  danger: {
    water_leak: 'Cierra la llave del agua. No te acerques a enchufes ni cables mojados.',
    smoke: 'Saca a todos y cierra las puertas al salir. Llama a los bomberos desde fuera.',
    gas_leak: 'Ni llamas, ni interruptores, ni teléfono. Abre las ventanas, saca a todos y pide ayuda desde fuera.',
    co_alarm: 'No huele. Saca a todos al aire libre enseguida y pide ayuda.',
  },
  advice: {
    battery: 'Quizá tenga la batería agotada. Cámbiala y pulsa un botón del dispositivo.',
    mains: 'Comprueba que tiene corriente: quizá un interruptor de pared esté apagado.',
  },
};
