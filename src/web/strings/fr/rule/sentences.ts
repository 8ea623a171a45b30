import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { sunTimes } from '#web/strings/rule/sun-times.ts';

const STAYS = '[et reste ainsi pendant {for_s}] [, sans compter des silences de {grace_s}]';

const CHANGES = '[passe de {from} à {to}|passe à {to}|n’est plus {from}|change]';

const WHO = '[{device}|{group}|{any_of}]';

const HOW = '[, {wait}] [, valable pendant {expires_in}] [, {retry}] [, {on_failure}] [, {skip_if_same}]';

const SUN_TIMES = sunTimes({
  between: (from, to) => `on est entre ${from} et ${to}`,
  after: (from) => `on est plus tard que ${from}`,
  before: (to) => `on est plus tôt que ${to}`,
});

export const ruleSays: Dictionary['ruleSays'] = {
  'trigger.feature': `${WHO} [({all})] [{does}|{key}] [{said}|passe de {from} à {to}|passe à {to}|n’est plus {from}|change] ${STAYS} [, {by}] [, {assumed}]`,
  'trigger.threshold': `${WHO} [{key}] [passe entre {above} et {below}|monte au-dessus de {above}|descend au-dessous de {below}] [change de {change}] [(marge {hysteresis})] ${STAYS} [, puis pause de {again_after_s}]`,
  'trigger.occurrence': `${WHO} [{key}] [est {action}|envoie {raw}|est utilisé] [avec le message {raw}] [, {count} fois]`,
  'trigger.time':
    '[il est {at}|l’horaire {cron} le dit|{every_s} ont encore passé] [depuis {anchor}] [({days})] [(le {dates})] [, mais pas le {except_dates}] [, {missed}] [, {when_clock_unset}]',
  'trigger.sun':
    '[{moment}|{offset_s} {event}|c’est {event}] [de {elevation_deg}] [, {rising}] [, pas avant {not_before}] [, à {not_after} au plus tard] [({days})] [, les jours sans ce moment {if_none}] [, {missed}] [, {when_clock_unset}]',
  'trigger.hook': 'un autre programme appelle son hook [avec un contenu comme {accepts}]',
  'trigger.mode': `{mode} ${CHANGES} ${STAYS}`,
  'trigger.variable': `{variable} ${CHANGES} ${STAYS}`,
  'trigger.presence': `{person} {to} ${STAYS}`,
  'trigger.availability': `[{device}|{group}|{any_of}|{integration}] {to} ${STAYS}`,
  'trigger.hub': '{on} [: {integration}]',
  'trigger.automation': '{automation} {outcome}',

  'condition.feature':
    '{device} [{does}|{key}] [{said}|est entre {between}|n’est pas {is_not}|est au-dessus de {above}|est au-dessous de {below}|est {is}] [depuis {for_s}] [, {accept_restored}]',
  'condition.time': 'il est [entre {after} et {before}|après {after}|avant {before}] [le {days}]',
  'condition.sun': `[${SUN_TIMES}] [, le soleil est au-dessus de {above}] [, le soleil est au-dessous de {below}]`,
  'condition.presence': '{person} est {is}',
  'condition.variable':
    '{variable} [est entre {between}|n’est pas {is_not}|est au-dessus de {above}|est au-dessous de {below}|est {is}]',
  'condition.availability': '{device} est {is}',
  'condition.trigger': 'elle a été lancée par {id}',
  'condition.step': 'l’attente {id} {timed_out}',
  'condition.scene': 'la scène {scene} est {is}',
  'condition.run': '{automation} est {is}',
  'condition.compare': '{left} {op} {right}',
  'condition.changed': '{device} {key} a changé il y a moins de {within_s} [, {by}]',
  condition_beside: '[(si inconnu : {if_unknown})]',

  'step.command': `[{turn} {targets} avec {rest}|{turn} {targets}|régler {targets} sur {set}|faire {do} à {targets}] [en {transition_ms}] ${HOW}`,
  'step.scene': `activer la scène {scene} [en {transition_ms}] ${HOW}`,
  'step.restore': 'remettre [{since}|ce que cette exécution a changé]',
  'step.delay': 'attendre [{s}|jusqu’à {until}] [, mais continuer avec {late_max_s} de retard au plus]',
  'step.wait_for': 'attendre au plus {timeout_s} [, {then}] [, mais continuer avec {late_max_s} de retard au plus]',
  'step.choose': 'selon le cas',
  'step.repeat': 'répéter [{times} fois] [pour chaque {for_each}] , {max} tours au plus',
  'step.parallel': 'faire en même temps [, jusqu’à ce que {end}]',
  'step.notify':
    'envoyer « {title} » [(pour {to})] comme {severity} [avec le texte « {text} »] [, de nouveau toutes les {repeat_s}] [, sous le nom {key}] [, en terminant {resolve_key}] [, avec {operands}]',
  'step.request': 'appeler {url} avec {method} [et {json}] [, {wait}]',
  'step.mode': 'mettre {mode} sur {value} [pendant {for_s}] [jusqu’à {until}]',
  'step.variable': 'mettre {variable} à {value}',
  'step.presence_note': 'noter que {person} est {state}',
  'step.automation': '{do} {automation}',
  'step.stop': 'finir comme {outcome} [: {reason}]',

  selection: 'tout appareil [avec {capability}] [de type {type}] [dans {room}] [sauf {except}]',
  targets: '[{devices}] [, {group}] [, tout dans {room}] [, {any_of}] [, {trigger}]',
  change: '{by} en {within_s}',
  late: 'si manqué, avec {run_late_s} de retard au plus',
  time_of: 'l’heure dans {variable}',
  retry: '{times} autres essais toutes les {after_s}',
  modes: '{modes}',
  each: '{variable} de {in}',
  run_mode: '{kind} [, {max} au plus]',

  'operand.feature': '{device} {key}',
  'operand.history': '{fn} {device} {key} sur {over_s} [, il y a {ago_s}]',
  'operand.round': '{0} arrondi à {1} chiffres',
  'operand.clamp': '{0}, mais de {1} à {2}',
  'operand.map': '{0}, transposé de {1} … {2} à {3} … {4}',
  'operand.if': '{1} si {0}, sinon {2}',
};

export const ruleJoins: Dictionary['ruleJoins'] = {
  add: ['', ' + '],
  sub: ['', ' − '],
  mul: ['', ' × '],
  div: ['', ' ÷ '],
  min: ['le plus petit de ', ', '],
  max: ['le plus grand de ', ', '],
  coalesce: ['le premier connu de ', ', '],
};

export const ruleVerbs: Dictionary['ruleVerbs'] = {
  on: ['s’allume', 's’éteint', 'est allumé', 'est éteint'],
  motion: [
    'détecte un mouvement',
    'ne détecte plus de mouvement',
    'détecte un mouvement',
    'ne détecte aucun mouvement',
  ],
  presence: ['voit quelqu’un', 'ne voit plus personne', 'voit quelqu’un', 'ne voit personne'],
  open: ['s’ouvre', 'se ferme', 'est ouvert', 'est fermé'],
  valve_open: ['s’ouvre', 'se ferme', 'est ouverte', 'est fermée'],
  water_leak: ['détecte de l’eau', 'ne détecte plus d’eau', 'détecte de l’eau', 'est sec'],
  smoke: ['détecte de la fumée', 'ne détecte plus de fumée', 'détecte de la fumée', 'ne détecte aucune fumée'],
  co_alarm: [
    'détecte du monoxyde de carbone',
    'ne détecte plus de monoxyde de carbone',
    'détecte du monoxyde de carbone',
    'ne signale rien',
  ],
  gas_leak: ['détecte du gaz', 'ne détecte plus de gaz', 'détecte du gaz', 'ne détecte aucun gaz'],
  locked: ['se verrouille', 'se déverrouille', 'est verrouillé', 'est déverrouillé'],
};
