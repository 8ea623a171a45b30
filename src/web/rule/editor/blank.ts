import type { BodyPart } from '#web/client/rule-forms.ts';
import type { IconName } from '#web/icon-lines.ts';
import { BESIDE_CONDITION, CONDITIONS, type Form, type Member, STEPS, TRIGGERS } from '#web/rule/sentence/form.ts';
import type { Json, JsonObject } from '#web/rule/sentence/json.ts';
import type { ruleEditor } from '#web/strings/en/rule/editor.ts';

const NEW_TRIGGERS: Readonly<Record<string, JsonObject>> = {
  time: { at: '07:00' },
  sun: { event: 'sunset' },
  presence: { person: 'anyone', to: 'home' },
  availability: { to: 'offline' },
  hub: { on: 'started' },
  automation: { outcome: 'finished' },
};
const NEW_CONDITIONS: Readonly<Record<string, Json>> = {
  and: [],
  or: [],
  not: null,
  time: { after: '22:00', before: '06:00' },
  sun: { after: 'sunset', before: 'sunrise' },
  mode: { home: 'home' },
  presence: { person: 'anyone', is: 'home' },
  availability: { is: 'online' },
  step: { timed_out: true },
  scene: { is: 'active' },
  run: { is: 'running' },
  compare: { op: 'gt' },
  changed: { within_s: 600 },
};
const NEW_STEPS: Readonly<Record<string, JsonObject>> = {
  command: { targets: { devices: [] } },
  delay: { s: 60 },
  wait_for: { triggers: [], timeout_s: 3600, ['then']: 'continue' },
  choose: { cases: [{ if: null, ['then']: [] }] },
  repeat: { times: 3, max: 3, steps: [] },
  parallel: { branches: [[], []] },
  notify: { severity: 'info', title: '' },
  request: { method: 'POST', url: '' },
  presence_note: { state: 'away' },
  automation: { do: 'run' },
  stop: { outcome: 'finished' },
};
const NEW_FORMS: Readonly<Record<string, JsonObject>> = {
  selection: { capability: 'motion' },
  targets: { devices: [] },
  change: { by: 1, within_s: 600 },
  late: { run_late_s: 3600 },
  retry: { times: 3, after_s: 5 },
  each: { variable: 'item', in: [] },
  run_mode: { kind: 'single' },
};
const NEW_LENGTHS_S: Readonly<Record<string, number>> = { for_s: 300, grace_s: 300, every_s: 900, timeout_s: 3600 };

/** The kinds that people use come first; all others stand behind `More`. */
export const USUAL: Readonly<Record<BodyPart, readonly string[]>> = {
  trigger: ['feature', 'time', 'sun', 'presence', 'mode', 'occurrence', 'threshold'],
  condition: ['feature', 'time', 'sun', 'presence', 'mode', 'and', 'or', 'not'],
  step: ['command', 'scene', 'notify', 'delay', 'wait_for', 'choose', 'mode'],
};

/** The kinds of a part in the order in which they are offered. */
export const KINDS: Readonly<Record<BodyPart, readonly string[]>> = {
  trigger: usualFirst('trigger', TRIGGERS),
  condition: usualFirst('condition', CONDITIONS),
  step: usualFirst('step', STEPS),
};

function usualFirst(part: BodyPart, forms: Readonly<Record<string, unknown>>): readonly string[] {
  return [...USUAL[part], ...Object.keys(forms).filter((kind) => !USUAL[part].includes(kind))];
}

type Quick = readonly [name: keyof (typeof ruleEditor)['quick'], icon: IconName, node: JsonObject];

/** Whole parts that most automations have, offered where there is none yet. */
export const QUICK: Readonly<Record<BodyPart, readonly Quick[]>> = {
  trigger: [
    ['sunset', 'sun', blankPart('trigger', 'sun')],
    ['clock', 'clock', blankPart('trigger', 'time')],
    ['device', 'device', blankPart('trigger', 'feature')],
    ['comes', 'people', blankPart('trigger', 'presence')],
  ],
  condition: [
    ['somebody', 'people', blankPart('condition', 'presence')],
    ['dark', 'moon', blankPart('condition', 'sun')],
    ['between', 'clock', blankPart('condition', 'time')],
    ['device', 'device', blankPart('condition', 'feature')],
  ],
  step: [
    ['control', 'light', blankPart('step', 'command')],
    ['scene', 'palette', blankPart('step', 'scene')],
    ['message', 'bell', blankPart('step', 'notify')],
  ],
};

/** A new part with as much filled in as makes sense without a home. */
export function blankPart(part: BodyPart, kind: string): JsonObject {
  if (part === 'trigger') return { type: kind, ...NEW_TRIGGERS[kind] };
  return { [kind]: (part === 'condition' ? NEW_CONDITIONS : NEW_STEPS)[kind] ?? (kind === 'not' ? null : {}) };
}

/** A first value for a member that is added. */
export function blankMember(name: string, member: Member): Json {
  switch (member.kind) {
    case 'boolean':
      return true;
    case 'number':
      return firstNumber(name, member);
    case 'word':
      return member.words[0] ?? '';
    case 'form':
      return NEW_FORMS[member.form.say] ?? {};
    case 'either':
      return blankMember(name, member.other);
    case 'body':
      return null;
    case 'list':
      return [];
    case 'some':
      return blankMember(name, member.of);
    case 'record':
      return {};
    case 'tuple':
      return member.of.map((one, index) => blankMember(String(index), one));
    case 'operand':
      return name === 's' ? 60 : 0;
    case 'text':
      return member.look === 'clock' || member.look === 'clockOrSkip' ? '22:00' : '';
    default:
      return member.kind === 'value' ? true : {};
  }
}

function firstNumber(name: string, { unit, min, max }: Extract<Member, { kind: 'number' }>): number {
  const wanted =
    unit === 'ms' ? 1000 : unit === 'offset' ? 900 : (NEW_LENGTHS_S[name] ?? (unit === 'seconds' ? 60 : 1));
  return Math.min(max, Math.max(min, wanted));
}

/** All forms by the key of their sentence. */
export const FORMS: ReadonlyMap<string, Form> = new Map(
  [
    ...Object.values(TRIGGERS),
    BESIDE_CONDITION,
    ...[...Object.values(CONDITIONS), ...Object.values(STEPS)].flatMap((member) =>
      member.kind === 'form' ? [member.form] : [],
    ),
  ]
    .flatMap(withInner)
    .map((form) => [form.say, form] as const),
);

function withInner(form: Form): readonly Form[] {
  const inner = Object.values(form.members).flatMap((member): readonly Form[] => {
    const own = member.kind === 'list' ? member.of : member;
    return own.kind === 'form' || own.kind === 'either' ? withInner(own.form) : [];
  });
  return [form, ...inner];
}

/** Other members that can stand in its place; none where it stands for itself. */
export function waysOf({ one }: Form, name: string): readonly string[] {
  return one.find((names) => names.includes(name)) ?? [];
}

/** Whether it can be taken out without anything in its place. */
export function isOptional({ required, one, some, members }: Form, name: string, node: JsonObject): boolean {
  if (!(name in members)) return true;
  if (required.includes(name) || one.some((names) => names.includes(name))) return false;
  return !some.includes(name) || some.filter((other) => other in node).length > 1;
}

/** The members that can be added. */
export function missingOf({ members, one }: Form, node: JsonObject): readonly string[] {
  const isTaken = (name: string): boolean => one.some((names) => names.includes(name));
  return Object.keys(members).filter((name) => !(name in node) && !isTaken(name));
}
