import type { whyParts as partsInEnglish, whyTexts as textsInEnglish } from '#words/en/why.ts';
import type { Translation } from '#words/texts.ts';

export const whyTexts: Translation<typeof textsInEnglish> = {
  ran: ['Elle a tourné, avec {late} de retard.', 'Elle a tourné.'],
  running: ['Elle a commencé, avec {late} de retard, et continue.', 'Elle a commencé et continue.'],
  ended_badly: ['Elle a tourné, mais pas jusqu’au bout : {reason}.', 'Elle a tourné, mais pas jusqu’au bout.'],
  yielded_to_hand: ['Elle a tourné et n’a rien changé, car quelqu’un avait tout réglé à la main.'],
  not_met: [
    'Son déclencheur est arrivé, mais ses conditions n’étaient pas remplies : {conditions}.',
    'Son déclencheur est arrivé, mais ses conditions n’étaient pas remplies.',
  ],
  condition_unknown: [
    'Son déclencheur est arrivé, mais personne ne savait si ses conditions étaient remplies : {conditions}.',
    'Son déclencheur est arrivé, mais personne ne savait si ses conditions étaient remplies.',
  ],
  busy: ['Son déclencheur est arrivé alors qu’elle tournait encore.'],
  queue_full: ['Son déclencheur est arrivé, mais trop de démarrages attendaient déjà.'],
  too_many_runs: ['Son déclencheur est arrivé, mais trop d’automatisations tournaient à ce moment.'],
  loop: ['Son déclencheur est arrivé, mais des automatisations s’étaient démarrées en boucle.'],
  tripped: ['Elle était arrêtée pour un moment, car elle avait démarré trop souvent.'],
  disabled: ['Elle était désactivée.'],
  suspended: [
    'Elle ne pouvait pas tourner, car {reason} : quelqu’un qui a les droits doit les lui donner.',
    'Elle ne pouvait pas tourner : quelqu’un qui a les droits doit les lui donner.',
  ],
  broken: ['Elle ne pouvait pas tourner : quelque chose qu’elle nomme n’existe plus, ou est d’un autre genre.'],
  clock_unset: ['Son heure était peut-être venue, mais le hub ne savait pas quelle heure il était.'],
  missed: [
    'Son heure était passée depuis {late}, trop pour démarrer.',
    'Son heure était passée depuis trop longtemps.',
  ],
  hub_off: ['Le hub était éteint, de {from} à {to}.', 'Le hub était éteint.'],
  device_offline: ['{device} était injoignable, de {from} à {to}.', '{device} était injoignable.'],
  not_crossed: ['{feature} n’a atteint que {value} ; la limite est {limit}.', '{feature} n’a pas franchi sa limite.'],
  not_armed: [
    '{feature} était à {value}, mais n’était pas revenu à {rearms_at} depuis la dernière fois.',
    '{feature} n’était pas assez revenu depuis la dernière fois.',
  ],
  for_cancelled: [
    '{feature} n’a été ainsi que {after} ; il faut {of}.',
    '{feature} n’a pas été ainsi assez longtemps.',
  ],
  from_was: ['{feature} a changé, mais était avant à {value}.', '{feature} a changé, mais était avant autre chose.'],
  value_is: [
    '{feature} est passé à {value}, ce que le déclencheur n’attend pas.',
    '{feature} est passé à une valeur que le déclencheur n’attend pas.',
  ],
  moved_by: [
    '{feature} a changé, mais par {by}, ce que le déclencheur n’attend pas.',
    '{feature} a changé, mais par quelque chose que le déclencheur n’attend pas.',
  ],
  first_value: ['{feature} n’avait pas de valeur avant : la première n’était donc pas un changement.'],
  value_unknown: ['Personne ne connaissait la valeur : {feature}.'],
  not_all: ['Tout ce que surveille le déclencheur n’était pas ainsi.'],
  never_was: [
    '{feature} n’a jamais été à {limit}, mais à {value}.',
    '{feature} n’a jamais été à {limit}.',
    '{feature} n’a jamais été ainsi.',
  ],
  nothing_happened: ['Rien n’est arrivé de ce qu’attendent ses déclencheurs.'],
  not_there_yet: ['Elle n’existait pas encore.'],
  nothing_kept: ['Rien n’est conservé de ce moment.'],
};

export const whyParts: Translation<typeof partsInEnglish> = {
  value: 'une valeur',
  hand: 'une main',
  hub: 'le hub',
  other: 'une autre automatisation',
  hidden: 'un appareil que vous ne pouvez pas voir',
  clock: 'l’heure',
  sun_elevation: 'la hauteur du soleil',
  trigger_id: 'le déclencheur',
  running: 'en cours',
  not_running: 'pas en cours',
  wait: 'l’attente',
  trigger_value: 'la valeur qui l’a déclenchée',
  result: 'le résultat',
  hook: 'un appel d’un autre programme',
  gone: 'quelque chose qui n’existe plus',
};
