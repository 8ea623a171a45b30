import type { templateTexts as en } from '#words/en/templates.ts';
import type { Translation } from '#words/texts.ts';

export const templateTexts: Translation<typeof en> = {
  'motion-light': {
    name: 'Luz con movimiento',
    description:
      'Enciende lámparas cuando alguien se mueve a oscuras, y las apaga unos minutos después del último movimiento. Tenue de noche. Las lámparas manejadas a mano no cambian durante un rato. Un sensor desaparecido mantiene las lámparas una hora como mucho.',
    inputs: {
      motion: { label: 'Sensores de movimiento' },
      lights: { label: 'Lámparas' },
      lux: { label: 'Sensor de luz' },
      dark_lx: { label: 'Oscuro significa menos de' },
      hold_s: { label: 'Apagar sin movimiento tras' },
      level: { label: 'Brillo', hint: 'Déjalo fuera para lámparas que no se regulan.' },
      night_level: { label: 'Brillo de noche' },
      night_from: { label: 'Empieza la noche' },
      night_to: { label: 'Termina la noche' },
      yield_s: { label: 'No tocar las lámparas manejadas a mano durante' },
    },
  },
  'wake-up-light': {
    name: 'Luz para despertar',
    description:
      'Sube despacio las lámparas antes de que te levantes. Las ya encendidas quedan como están, y también las que alguien apague. No pasa nada en días libres, si no hay nadie en casa, o si el hub estuvo apagado un cuarto de hora.',
    inputs: {
      lights: { label: 'Lámparas' },
      at: { label: 'Empezar a las' },
      days: { label: 'Días' },
      minutes: { label: 'Minutos hasta el brillo máximo' },
      level: { label: 'Brillo máximo' },
      stay_min: { label: 'Apagar después de (minutos)' },
      only_home: { label: 'Solo si hay alguien en casa' },
    },
  },
  'sunset-lights': {
    name: 'Luces al ponerse el sol',
    description:
      'Enciende lámparas al ponerse el sol y las apaga a una hora de la noche. Las lámparas manejadas a mano no cambian durante 30 minutos. Necesita el lugar de la casa.',
    inputs: {
      lights: { label: 'Lámparas' },
      level: { label: 'Brillo', hint: 'Déjalo fuera para lámparas que no se regulan.' },
      offset_s: { label: 'Cuánto antes o después de la puesta del sol' },
      not_before: { label: 'No antes de' },
      not_after: { label: 'No después de' },
      off_at: { label: 'Apagar a las' },
      only_home: { label: 'Solo si hay alguien en casa' },
    },
  },
  'button-scenes': {
    name: 'Botón para escenas',
    description:
      'Cada pulsación pasa a la siguiente de dos o tres escenas; otra pulsación apaga lámparas. Se guía por lo que indican las lámparas, así que empieza por la primera escena si alguien las cambió.',
    inputs: {
      button: { label: 'Botón' },
      next_press: { label: 'Pulsación para la escena siguiente' },
      first: { label: 'Primera escena' },
      second: { label: 'Segunda escena' },
      third: { label: 'Tercera escena' },
      lights: { label: 'Lámparas que apagar' },
      off_press: { label: 'Pulsación para apagar' },
    },
  },
  leak: {
    name: 'Fuga de agua',
    description:
      'Cualquier detector de fugas, también uno añadido después, cierra el agua, hace sonar una sirena y avisa a todos hasta que alguien lo confirma. Lo dice si la válvula no cierra. Nunca vuelve a abrir el agua sola.',
    inputs: {
      valve: { label: 'Válvula de agua' },
      siren: { label: 'Sirena' },
      siren_s: { label: 'La sirena suena durante' },
    },
  },
  'door-left-open': {
    name: 'Puerta abierta',
    description:
      'Avisa de una puerta o ventana abierta demasiado tiempo, lo recuerda hasta que se cierra y entonces retira el mensaje. Con un termómetro fuera, solo mientras hace frío.',
    inputs: {
      doors: { label: 'Puertas y ventanas' },
      after_s: { label: 'Después de' },
      repeat_s: { label: 'Recordar cada' },
      outside: { label: 'Termómetro exterior' },
      below: { label: 'Solo por debajo de' },
    },
  },
  'low-batteries': {
    name: 'Baterías bajas',
    description:
      'Avisa de cada dispositivo con batería baja, también de uno añadido después, y otra vez a la semana si sigue así.',
    inputs: {
      below: { label: 'Baja significa menos de' },
      except: { label: 'Estos no' },
    },
  },
  'away-off': {
    name: 'Apagar todo cuando no hay nadie',
    description:
      'Apaga todo lo que puede apagarse, unos minutos después de que se vaya la última persona o cuando alguien pone la casa en «Fuera». Avisa de ventanas abiertas. Mientras no se sabe si hay alguien, no pasa nada.',
    inputs: {
      after_s: { label: 'Después de' },
      set_mode: { label: 'Poner la casa en «Fuera»' },
      windows: { label: 'Ventanas y puertas que mirar' },
    },
  },
  'presence-imitation': {
    name: 'Como si hubiera alguien en casa',
    description:
      'Mientras la casa está en «Fuera» o «Vacaciones», las lámparas hacen lo que hicieron hace una semana a la misma hora. Lo que nadie registró no cambia nada.',
    inputs: {
      lights: { label: 'Lámparas' },
      from: { label: 'Desde' },
      to: { label: 'Hasta' },
      modes: { label: 'Mientras la casa está en' },
    },
  },
  'window-heating': {
    name: 'Calefacción baja mientras hay una ventana abierta',
    description:
      'Baja los termostatos mientras hay una ventana abierta, y los devuelve cuando todas se cierran, salvo que alguien los cambiara. Nunca calienta más. Un sensor desaparecido mantiene la calefacción baja una hora como mucho.',
    inputs: {
      windows: { label: 'Ventanas' },
      thermostats: { label: 'Termostatos' },
      low: { label: 'Bajar a' },
      open_s: { label: 'Bajar si una ventana lleva abierta' },
      closed_s: { label: 'Restablecer si todo lleva cerrado' },
    },
  },
  'appliance-finished': {
    name: 'Electrodoméstico terminado',
    description:
      'Avisa cuando termina la lavadora, la secadora o el lavavajillas: su potencia estuvo alta, y luego baja unos minutos. Las pausas del programa no cuentan.',
    inputs: {
      meter: { label: 'Potencia del electrodoméstico' },
      name: { label: 'Nombre del electrodoméstico', default: 'El electrodoméstico' },
      start_w: { label: 'En marcha por encima de' },
      end_w: { label: 'Terminado por debajo de' },
      end_s: { label: 'Duración de la potencia baja' },
      door: { label: 'Puerta del electrodoméstico', hint: 'Retira el mensaje cuando alguien la abre.' },
    },
  },
  'humidity-fan': {
    name: 'Ventilador según la humedad',
    description:
      'Enciende un ventilador cuando el aire está húmedo o se humedece deprisa, como en la ducha, y lo apaga cuando se seca. Funciona diez minutos al menos, y este tiempo como mucho. No toca uno ya encendido ni uno movido a mano.',
    inputs: {
      humidity: { label: 'Humedad' },
      fan: { label: 'Ventilador' },
      above: { label: 'Húmedo significa más de' },
      rise: { label: 'O una subida en cinco minutos de' },
      dry: { label: 'Seco significa menos de' },
      longest_s: { label: 'Como mucho' },
      quiet_from: { label: 'De noche no: desde' },
      quiet_to: { label: 'Hasta' },
    },
  },
};
