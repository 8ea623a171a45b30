import type { whyParts as partsInEnglish, whyTexts as textsInEnglish } from '#words/en/why.ts';
import type { Translation } from '#words/texts.ts';

export const whyTexts: Translation<typeof textsInEnglish> = {
  ran: ['Se ejecutó, {late} tarde.', 'Se ejecutó.'],
  running: ['Empezó, {late} tarde, y sigue en marcha.', 'Empezó y sigue en marcha.'],
  ended_badly: ['Se ejecutó, pero no hasta el final: {reason}.', 'Se ejecutó, pero no hasta el final.'],
  yielded_to_hand: ['Se ejecutó y no cambió nada, porque alguien lo había manejado todo a mano.'],
  not_met: [
    'Llegó su desencadenante, pero no se cumplían sus condiciones: {conditions}.',
    'Llegó su desencadenante, pero no se cumplían sus condiciones.',
  ],
  condition_unknown: [
    'Llegó su desencadenante, pero nadie sabía si se cumplían sus condiciones: {conditions}.',
    'Llegó su desencadenante, pero nadie sabía si se cumplían sus condiciones.',
  ],
  busy: ['Llegó su desencadenante mientras aún se ejecutaba.'],
  queue_full: ['Llegó su desencadenante, pero ya había demasiadas ejecuciones en espera.'],
  too_many_runs: ['Llegó su desencadenante, pero en ese momento había demasiadas automatizaciones en marcha.'],
  loop: ['Llegó su desencadenante, pero unas automatizaciones se habían iniciado a otras en círculo.'],
  tripped: ['Estaba detenida por un rato, porque se había iniciado demasiadas veces.'],
  disabled: ['Estaba desactivada.'],
  suspended: [
    'No podía ejecutarse, porque {reason}: alguien con los permisos tiene que dárselos.',
    'No podía ejecutarse: alguien con los permisos tiene que dárselos.',
  ],
  broken: ['No podía ejecutarse: algo que nombra ya no existe o es de otro tipo.'],
  clock_unset: ['Quizá había llegado su hora, pero el hub no sabía qué hora era.'],
  missed: ['Su hora había pasado hacía {late}, demasiado para iniciarse.', 'Su hora había pasado hacía demasiado.'],
  hub_off: ['El hub estuvo apagado, de {from} a {to}.', 'El hub estaba apagado.'],
  device_offline: ['No se pudo contactar con {device}, de {from} a {to}.', 'No se pudo contactar con {device}.'],
  not_crossed: ['{feature} solo llegó a {value}; el límite es {limit}.', '{feature} no pasó su límite.'],
  not_armed: [
    '{feature} estaba en {value}, pero no había vuelto a {rearms_at} desde la última vez.',
    '{feature} no había vuelto atrás lo suficiente desde la última vez.',
  ],
  for_cancelled: [
    '{feature} estuvo así solo {after}; hacen falta {of}.',
    '{feature} no estuvo así el tiempo suficiente.',
  ],
  from_was: ['{feature} cambió, pero antes estaba en {value}.', '{feature} cambió, pero antes era otra cosa.'],
  value_is: [
    '{feature} cambió a {value}, y el desencadenante no espera eso.',
    '{feature} cambió a algo que el desencadenante no espera.',
  ],
  moved_by: [
    '{feature} cambió, pero por {by}, y el desencadenante no espera eso.',
    '{feature} cambió, pero por algo que el desencadenante no espera.',
  ],
  first_value: ['{feature} no tenía valor antes, así que el primero no era un cambio.'],
  value_unknown: ['Nadie conocía el valor: {feature}.'],
  not_all: ['No todo lo que observa el desencadenante estaba así.'],
  never_was: [
    '{feature} nunca fue {limit}, sino {value}.',
    '{feature} nunca fue {limit}.',
    '{feature} nunca estuvo así.',
  ],
  nothing_happened: ['No pasó nada de lo que esperan sus desencadenantes.'],
  not_there_yet: ['Todavía no existía.'],
  nothing_kept: ['No se conserva nada de ese momento.'],
};

export const whyParts: Translation<typeof partsInEnglish> = {
  value: 'un valor',
  hand: 'una mano',
  hub: 'el hub',
  other: 'otra automatización',
  hidden: 'un dispositivo que no puedes ver',
  clock: 'la hora',
  sun_elevation: 'la altura del sol',
  trigger_id: 'el disparador',
  running: 'en marcha',
  not_running: 'parada',
  wait: 'la espera',
  trigger_value: 'el valor que la inició',
  result: 'el resultado',
  hook: 'una llamada de otro programa',
  gone: 'algo que ya no existe',
};
