import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { sunTimes } from '#web/strings/rule/sun-times.ts';

const STAYS = '[und {for_s} lang so bleibt] [, Funkstille bis {grace_s} nicht gerechnet]';

const CHANGES = '[von {from} auf {to} wechselt|auf {to} wechselt|nicht mehr {from} ist|sich ändert]';

const WHO = '[{device}|{group}|{any_of}]';

const HOW = '[, {wait}] [, gültig für {expires_in}] [, {retry}] [, {on_failure}] [, {skip_if_same}]';

const SUN_TIMES = sunTimes({
  between: (from, to) => `es zwischen ${from} und ${to} ist`,
  after: (from) => `es später als ${from} ist`,
  before: (to) => `es früher als ${to} ist`,
});

export const ruleSays: Dictionary['ruleSays'] = {
  'trigger.feature': `${WHO} [({all})] [{does}|{key}] [{said}|von {from} auf {to} wechselt|auf {to} wechselt|nicht mehr {from} ist|sich ändert] ${STAYS} [, {by}] [, {assumed}]`,
  'trigger.threshold': `${WHO} [{key}] [zwischen {above} und {below} kommt|über {above} steigt|unter {below} fällt] [sich um {change} ändert] [(Spielraum {hysteresis})] ${STAYS} [, danach Pause für {again_after_s}]`,
  'trigger.occurrence': `${WHO} [{key}] [{action} wird|{raw} sendet|benutzt wird] [mit der Nachricht {raw}] [, {count}-mal]`,
  'trigger.time':
    '[es {at} ist|der Zeitplan {cron} es sagt|wieder {every_s} vergangen sind] [seit {anchor}] [(am {days})] [(am {dates})] [, aber nicht am {except_dates}] [, {missed}] [, {when_clock_unset}]',
  'trigger.sun':
    '[{moment}|{offset_s} {event} von {elevation_deg}|{offset_s} {event}|es {event} von {elevation_deg} ist|es {event} ist] [, {rising}] [, nicht vor {not_before}] [, spätestens um {not_after}] [(am {days})] [, an Tagen ohne diesen Moment {if_none}] [, {missed}] [, {when_clock_unset}]',
  'trigger.hook': 'ein anderes Programm den Hook aufruft [mit einem Inhalt wie {accepts}]',
  'trigger.mode': `{mode} ${CHANGES} ${STAYS}`,
  'trigger.variable': `{variable} ${CHANGES} ${STAYS}`,
  'trigger.presence': `{person} {to} ${STAYS}`,
  'trigger.availability': `[{device}|{group}|{any_of}|{integration}] {to} ${STAYS}`,
  'trigger.hub': '{on} [: {integration}]',
  'trigger.automation': '{automation} {outcome}',

  'condition.feature':
    '{device} [{does}|{key}] [{said}|zwischen {between} liegt|nicht {is_not} ist|über {above} liegt|unter {below} liegt|{is} ist] [, schon {for_s} lang] [, {accept_restored}]',
  'condition.time': 'es [zwischen {after} und {before}|nach {after}|vor {before}] [am {days}] ist',
  'condition.sun': `[${SUN_TIMES}] [, die Sonne über {above} steht] [, die Sonne unter {below} steht]`,
  'condition.presence': '{person} {is} ist',
  'condition.variable':
    '{variable} [zwischen {between} liegt|nicht {is_not} ist|über {above} liegt|unter {below} liegt|{is} ist]',
  'condition.availability': '{device} {is} ist',
  'condition.trigger': 'es von {id} gestartet wurde',
  'condition.step': 'das Warten {id} {timed_out}',
  'condition.scene': 'die Szene {scene} {is} ist',
  'condition.run': '{automation} {is}',
  'condition.compare': '{left} {op} {right} ist',
  'condition.changed': 'es höchstens {within_s} her ist, dass sich {device} {key} geändert hat [, {by}]',
  condition_beside: '[(falls unbekannt: {if_unknown})]',

  'step.command': `[{targets} mit {rest} {turn}|{targets} {turn}|{targets} auf {set} stellen|bei {targets} {do} auslösen] [, Übergang {transition_ms}] ${HOW}`,
  'step.scene': `die Szene {scene} einschalten [, Übergang {transition_ms}] ${HOW}`,
  'step.restore': '[{since}|was diese Ausführung geändert hat] zurückstellen',
  'step.delay': '[{s}|bis {until}] warten [, aber höchstens {late_max_s} zu spät weitermachen]',
  'step.wait_for': 'höchstens {timeout_s} warten [, {then}] [, aber höchstens {late_max_s} zu spät weitermachen]',
  'step.choose': 'je nach Fall',
  'step.repeat': '[{times}-mal] [für jedes {for_each}] wiederholen, höchstens {max} Runden',
  'step.parallel': 'gleichzeitig tun [, bis {end}]',
  'step.notify':
    '„{title}“ [an {to}] als {severity} senden [mit dem Text „{text}“] [, wieder alle {repeat_s}] [, unter dem Namen {key}] [, und {resolve_key} beenden] [, mit {operands}]',
  'step.request': '{url} mit {method} aufrufen [und {json} senden] [, {wait}]',
  'step.mode': '{mode} [für {for_s}] [bis {until}] auf {value} stellen',
  'step.variable': '{variable} auf {value} setzen',
  'step.presence_note': 'vermerken, dass {person} {state} ist',
  'step.automation': '{automation} {do}',
  'step.stop': 'als {outcome} beenden [: {reason}]',

  selection: 'irgendein Gerät [mit {capability}] [der Art {type}] [in {room}] [außer {except}]',
  targets: '[{devices}] [, {group}] [, alles in {room}] [, {any_of}] [, {trigger}]',
  change: '{by} über {within_s} hinweg',
  late: 'wenn verpasst, bis zu {run_late_s} später',
  time_of: 'die Zeit aus {variable}',
  retry: '{times} weitere Versuche alle {after_s}',
  modes: '{modes}',
  each: '{variable} aus {in}',
  run_mode: '{kind} [, höchstens {max}]',

  'operand.feature': '{device} {key}',
  'operand.history': '{fn} {device} {key} über {over_s} [, um {ago_s} früher]',
  'operand.round': '{0} auf {1} Stellen gerundet',
  'operand.clamp': '{0}, aber von {1} bis {2}',
  'operand.map': '{0}, von {1} … {2} auf {3} … {4} übertragen',
  'operand.if': '{1}, falls {0}, sonst {2}',
};

export const ruleJoins: Dictionary['ruleJoins'] = {
  add: ['', ' + '],
  sub: ['', ' − '],
  mul: ['', ' × '],
  div: ['', ' ÷ '],
  min: ['das Kleinste von ', ', '],
  max: ['das Größte von ', ', '],
  coalesce: ['das erste Bekannte von ', ', '],
};

export const ruleVerbs: Dictionary['ruleVerbs'] = {
  on: ['angeht', 'ausgeht', 'an ist', 'aus ist'],
  motion: ['Bewegung meldet', 'keine Bewegung mehr meldet', 'Bewegung meldet', 'keine Bewegung meldet'],
  presence: ['jemanden bemerkt', 'niemanden mehr bemerkt', 'jemanden bemerkt', 'niemanden bemerkt'],
  open: ['geöffnet wird', 'geschlossen wird', 'offen ist', 'geschlossen ist'],
  valve_open: ['sich öffnet', 'sich schließt', 'offen ist', 'geschlossen ist'],
  water_leak: ['Wasser meldet', 'kein Wasser mehr meldet', 'Wasser meldet', 'trocken ist'],
  smoke: ['Rauch meldet', 'keinen Rauch mehr meldet', 'Rauch meldet', 'keinen Rauch meldet'],
  co_alarm: [
    'Kohlenmonoxid meldet',
    'kein Kohlenmonoxid mehr meldet',
    'Kohlenmonoxid meldet',
    'kein Kohlenmonoxid meldet',
  ],
  gas_leak: ['Gas meldet', 'kein Gas mehr meldet', 'Gas meldet', 'kein Gas meldet'],
  locked: ['verriegelt wird', 'entriegelt wird', 'verriegelt ist', 'nicht verriegelt ist'],
};
