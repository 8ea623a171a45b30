import type { whyParts as partsInEnglish, whyTexts as textsInEnglish } from '#words/en/why.ts';
import type { Translation } from '#words/texts.ts';

export const whyTexts: Translation<typeof textsInEnglish> = {
  ran: ['Sie lief, {late} zu spät.', 'Sie lief.'],
  running: ['Sie begann, {late} zu spät, und läuft noch.', 'Sie begann und läuft noch.'],
  ended_badly: ['Sie lief, aber nicht bis zum Ende: {reason}.', 'Sie lief, aber nicht bis zum Ende.'],
  yielded_to_hand: ['Sie lief und schaltete nichts, weil jemand alles von Hand bedient hatte.'],
  not_met: [
    'Der Auslöser kam, aber die Bedingungen waren nicht erfüllt: {conditions}.',
    'Der Auslöser kam, aber die Bedingungen waren nicht erfüllt.',
  ],
  condition_unknown: [
    'Der Auslöser kam, aber niemand wusste, ob die Bedingungen erfüllt waren: {conditions}.',
    'Der Auslöser kam, aber niemand wusste, ob die Bedingungen erfüllt waren.',
  ],
  busy: ['Der Auslöser kam, während sie noch lief.'],
  queue_full: ['Der Auslöser kam, aber es warteten schon zu viele Starts.'],
  too_many_runs: ['Der Auslöser kam, aber gerade liefen zu viele Automationen.'],
  loop: ['Der Auslöser kam, aber Automationen hatten einander im Kreis gestartet.'],
  tripped: ['Sie war für eine Weile angehalten, weil sie zu oft gestartet war.'],
  disabled: ['Sie war ausgeschaltet.'],
  suspended: [
    'Sie durfte nicht laufen, denn {reason}: Jemand mit den Rechten muss sie ihr geben.',
    'Sie durfte nicht laufen: Jemand mit den Rechten muss sie ihr geben.',
  ],
  broken: ['Sie konnte nicht laufen: Etwas, das sie nennt, gibt es nicht mehr, oder es ist jetzt von anderer Art.'],
  clock_unset: ['Vielleicht war ihre Zeit gekommen, aber der Hub wusste nicht, wie spät es war.'],
  missed: ['Ihre Zeit war schon {late} vorbei, zu lange für einen Start.', 'Ihre Zeit war schon zu lange vorbei.'],
  hub_off: ['Der Hub war aus, von {from} bis {to}.', 'Der Hub war aus.'],
  device_offline: ['{device} war nicht erreichbar, von {from} bis {to}.', '{device} war nicht erreichbar.'],
  not_crossed: [
    '{feature} kam nur bis {value}; die Grenze ist {limit}.',
    '{feature} hat die Grenze nicht überschritten.',
  ],
  not_armed: [
    '{feature} war bei {value}, war aber seit dem letzten Mal nicht wieder bei {rearms_at}.',
    '{feature} war seit dem letzten Mal nicht wieder weit genug zurück.',
  ],
  for_cancelled: ['{feature} war nur {after} lang so; nötig sind {of}.', '{feature} war nicht lange genug so.'],
  from_was: [
    '{feature} hat sich geändert, war aber vorher {value}.',
    '{feature} hat sich geändert, war aber vorher etwas anderes.',
  ],
  value_is: [
    '{feature} wurde {value}; darauf wartet der Auslöser nicht.',
    '{feature} wurde etwas, worauf der Auslöser nicht wartet.',
  ],
  moved_by: [
    '{feature} hat sich geändert, aber durch {by}; darauf wartet der Auslöser nicht.',
    '{feature} hat sich geändert, aber durch etwas, worauf der Auslöser nicht wartet.',
  ],
  first_value: ['{feature} hatte vorher keinen Wert, deshalb war der erste keine Änderung.'],
  value_unknown: ['Niemand kannte den Wert: {feature}.'],
  not_all: ['Nicht alles, worauf der Auslöser achtet, war so.'],
  never_was: ['{feature} war nie {limit}, sondern {value}.', '{feature} war nie {limit}.', '{feature} war nie so.'],
  nothing_happened: ['Nichts geschah, worauf ihre Auslöser warten.'],
  not_there_yet: ['Es gab sie noch nicht.'],
  nothing_kept: ['Aus dieser Zeit ist nichts aufbewahrt.'],
};

export const whyParts: Translation<typeof partsInEnglish> = {
  value: 'ein Wert',
  hand: 'eine Hand',
  hub: 'den Hub',
  other: 'eine andere Automation',
  hidden: 'ein Gerät, das du nicht sehen darfst',
  clock: 'die Uhrzeit',
  sun_elevation: 'der Sonnenstand',
  trigger_id: 'der Auslöser',
  running: 'läuft',
  not_running: 'läuft nicht',
  wait: 'das Warten',
  trigger_value: 'der auslösende Wert',
  result: 'das Ergebnis',
  hook: 'ein Aufruf durch ein anderes Programm',
  gone: 'etwas, das es nicht mehr gibt',
};
