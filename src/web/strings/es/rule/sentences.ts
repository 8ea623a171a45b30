import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { sunTimes } from '#web/strings/rule/sun-times.ts';

const STAYS = '[y sigue así durante {for_s}] [, sin contar silencios de {grace_s}]';

const CHANGES = '[pasa de {from} a {to}|pasa a {to}|ya no es {from}|cambia]';

const WHO = '[{device}|{group}|{any_of}]';

const HOW = '[, {wait}] [, válido durante {expires_in}] [, {retry}] [, {on_failure}] [, {skip_if_same}]';

const SUN_TIMES = sunTimes({
  between: (from, to) => `estamos entre ${from} y ${to}`,
  after: (from) => `es más tarde que ${from}`,
  before: (to) => `es más temprano que ${to}`,
});

export const ruleSays: Dictionary['ruleSays'] = {
  'trigger.feature': `${WHO} [({all})] [{does}|{key}] [{said}|pasa de {from} a {to}|pasa a {to}|ya no es {from}|cambia] ${STAYS} [, {by}] [, {assumed}]`,
  'trigger.threshold': `${WHO} [{key}] [entra entre {above} y {below}|sube por encima de {above}|baja por debajo de {below}] [cambia en {change}] [(margen {hysteresis})] ${STAYS} [, después pausa de {again_after_s}]`,
  'trigger.occurrence': `${WHO} [{key}] [es {action}|envía {raw}|se usa] [con el mensaje {raw}] [, {count} veces]`,
  'trigger.time':
    '[son las {at}|el horario {cron} lo dice|han pasado otra vez {every_s}] [desde {anchor}] [({days})] [(el {dates})] [, pero no el {except_dates}] [, {missed}] [, {when_clock_unset}]',
  'trigger.sun':
    '[{moment}|llega {offset_s} {event}|llega {event}] [de {elevation_deg}] [, {rising}] [, no antes de las {not_before}] [, a las {not_after} como muy tarde] [({days})] [, en días sin ese momento {if_none}] [, {missed}] [, {when_clock_unset}]',
  'trigger.hook': 'otro programa llama a su hook [con un contenido como {accepts}]',
  'trigger.mode': `{mode} ${CHANGES} ${STAYS}`,
  'trigger.variable': `{variable} ${CHANGES} ${STAYS}`,
  'trigger.presence': `{person} {to} ${STAYS}`,
  'trigger.availability': `[{device}|{group}|{any_of}|{integration}] {to} ${STAYS}`,
  'trigger.hub': '{on} [: {integration}]',
  'trigger.automation': '{automation} {outcome}',

  'condition.feature':
    '{device} [{does}|{key}] [{said}|está entre {between}|no es {is_not}|está por encima de {above}|está por debajo de {below}|es {is}] [desde hace {for_s}] [, {accept_restored}]',
  'condition.time': 'es [entre las {after} y las {before}|después de las {after}|antes de las {before}] [el {days}]',
  'condition.sun': `[${SUN_TIMES}] [, el sol está por encima de {above}] [, el sol está por debajo de {below}]`,
  'condition.presence': '{person} está {is}',
  'condition.variable':
    '{variable} [está entre {between}|no es {is_not}|está por encima de {above}|está por debajo de {below}|es {is}]',
  'condition.availability': '{device} está {is}',
  'condition.trigger': 'la inició {id}',
  'condition.step': 'la espera {id} {timed_out}',
  'condition.scene': 'la escena {scene} está {is}',
  'condition.run': '{automation} está {is}',
  'condition.compare': '{left} {op} {right}',
  'condition.changed': '{device} {key} cambió hace menos de {within_s} [, {by}]',
  condition_beside: '[(si no se sabe: {if_unknown})]',

  'step.command': `[{turn} {targets} con {rest}|{turn} {targets}|poner {targets} en {set}|hacer {do} en {targets}] [en {transition_ms}] ${HOW}`,
  'step.scene': `activar la escena {scene} [en {transition_ms}] ${HOW}`,
  'step.restore': 'devolver [{since}|lo que cambió esta ejecución]',
  'step.delay': 'esperar [{s}|hasta {until}] [, pero seguir con {late_max_s} de retraso como mucho]',
  'step.wait_for': 'esperar como mucho {timeout_s} [, {then}] [, pero seguir con {late_max_s} de retraso como mucho]',
  'step.choose': 'según el caso',
  'step.repeat': 'repetir [{times} veces] [para cada {for_each}] , {max} vueltas como mucho',
  'step.parallel': 'hacer a la vez [, hasta que {end}]',
  'step.notify':
    'enviar «{title}» [a {to}] como {severity} [con el texto «{text}»] [, otra vez cada {repeat_s}] [, con el nombre {key}] [, terminando {resolve_key}] [, con {operands}]',
  'step.request': 'llamar a {url} con {method} [y {json}] [, {wait}]',
  'step.mode': 'poner {mode} en {value} [durante {for_s}] [hasta {until}]',
  'step.variable': 'poner {variable} en {value}',
  'step.presence_note': 'anotar que {person} está {state}',
  'step.automation': '{do} {automation}',
  'step.stop': 'terminar como {outcome} [: {reason}]',

  selection: 'cualquier dispositivo [con {capability}] [de tipo {type}] [en {room}] [salvo {except}]',
  targets: '[{devices}] [, {group}] [, todo en {room}] [, {any_of}] [, {trigger}]',
  change: '{by} en {within_s}',
  late: 'si se pierde, con {run_late_s} de retraso como mucho',
  time_of: 'la hora en {variable}',
  retry: '{times} intentos más cada {after_s}',
  modes: '{modes}',
  each: '{variable} de {in}',
  run_mode: '{kind} [, {max} como mucho]',

  'operand.feature': '{device} {key}',
  'operand.history': '{fn} {device} {key} en {over_s} [, hace {ago_s}]',
  'operand.round': '{0} redondeado a {1} cifras',
  'operand.clamp': '{0}, pero de {1} a {2}',
  'operand.map': '{0}, llevado de {1} … {2} a {3} … {4}',
  'operand.if': '{1} si {0}, si no {2}',
};

export const ruleJoins: Dictionary['ruleJoins'] = {
  add: ['', ' + '],
  sub: ['', ' − '],
  mul: ['', ' × '],
  div: ['', ' ÷ '],
  min: ['el menor de ', ', '],
  max: ['el mayor de ', ', '],
  coalesce: ['el primero conocido de ', ', '],
};

export const ruleVerbs: Dictionary['ruleVerbs'] = {
  on: ['se enciende', 'se apaga', 'está encendido', 'está apagado'],
  motion: ['detecta movimiento', 'deja de detectar movimiento', 'detecta movimiento', 'no detecta movimiento'],
  presence: ['nota a alguien', 'deja de notar a alguien', 'nota a alguien', 'no nota a nadie'],
  open: ['se abre', 'se cierra', 'está abierto', 'está cerrado'],
  valve_open: ['se abre', 'se cierra', 'está abierta', 'está cerrada'],
  water_leak: ['detecta agua', 'deja de detectar agua', 'detecta agua', 'está seco'],
  smoke: ['detecta humo', 'deja de detectar humo', 'detecta humo', 'no detecta humo'],
  co_alarm: [
    'detecta monóxido de carbono',
    'deja de detectar monóxido de carbono',
    'detecta monóxido de carbono',
    'no indica nada',
  ],
  gas_leak: ['detecta gas', 'deja de detectar gas', 'detecta gas', 'no detecta gas'],
  locked: ['se cierra con llave', 'se abre con llave', 'está cerrado con llave', 'está sin llave'],
};
