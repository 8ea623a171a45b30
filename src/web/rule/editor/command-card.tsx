import { useState } from 'preact/hooks';
import { Choices } from '#web/form/choices.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { DeviceRows } from '#web/rule/control/device-rows.tsx';
import { MemberControl } from '#web/rule/control/member-control.tsx';
import { LengthField } from '#web/rule/control/number-fields.tsx';
import { PickList } from '#web/rule/control/pick-list.tsx';
import { fitted } from '#web/rule/control/setting-presets.ts';
import { isFit } from '#web/rule/control/settled.ts';
import {
  inside,
  isList,
  isObject,
  type Json,
  type JsonObject,
  parentOf,
  valueAt,
  withValueAt,
} from '#web/rule/sentence/json.ts';
import { devicesOf } from '#web/rule/sentence/look.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { STEPS } from '#web/rule/sentence/form.ts';
import { useEditing } from './editing.ts';

/** The list that had the focus is gone. */
const focusOnce = (button: HTMLButtonElement | null): void => {
  if (document.activeElement === document.body) button?.focus();
};

type Props = {
  /** The pointer of the command. */
  readonly at: string;
  readonly isNew: boolean;
};

/** The devices of a command and what it does with them: first the list of the home, then the card of what was picked. */
export function CommandCard({ at, isNew }: Props) {
  const { definition, change, home } = useEditing();
  const [isListed, setIsListed] = useState(false);
  const around = valueAt(definition, at);
  const command = isObject(around) ? around : {};
  const devices = devicesOf(command);
  const then = isNew ? followUp(definition, at) : undefined;
  const put = (next: JsonObject, delay = then): void =>
    change(isNew ? withLast(definition, at, stepsWith(next, delay)) : withValueAt(definition, at, next));
  const pick = (chosen: readonly string[]): void => {
    const targets = isObject(command['targets']) ? command['targets'] : {};
    const next = { ...command, targets: { ...targets, devices: chosen } };
    put(chosen.length === 0 ? next : fitted(home, next));
  };
  const usual = home.options('device', (look) => isFit('targets', look) && (look.category ?? 'primary') === 'primary');
  const isUsual = (device: string): boolean => usual.some(({ value }) => value === device);
  // A sensor with nothing but settings of its own comes last.
  const options = [
    ...usual,
    ...home.options('device', (look) => isFit('targets', look)).filter(({ value }) => !isUsual(value)),
  ];
  if (devices.length === 0) return <DeviceRows options={options} onPick={(device) => pick([device])} />;
  if (isListed) {
    return (
      <>
        <PickList
          label={memberLabel('targets', 'devices')}
          name={at}
          options={options}
          chosen={devices}
          onChosen={pick}
          isMany
        />
        <button type="button" class="button" onClick={() => setIsListed(false)}>
          {editorWords.theseDevices}
        </button>
      </>
    );
  }
  const way = 'do' in command ? 'do' : 'set';
  const pointer = inside(at, way);
  const form = STEPS['command']?.kind === 'form' ? STEPS['command'].form : undefined;
  const member = form?.members[way];
  return (
    <>
      <button type="button" class="chip rule-add" ref={focusOnce} onClick={() => setIsListed(true)}>
        <Icon name="plus" size={16} />
        {editorWords.otherDevices}
      </button>
      {member === undefined ? null : (
        <MemberControl
          label={memberLabel('step.command', way)}
          member={member}
          spot={{ pointer, value: command[way] }}
          hole={{
            pointer,
            member,
            say: 'step.command',
            name: way,
            value: command[way],
            words: '',
            device: devices[0] ?? '',
            look: undefined,
          }}
          onValue={(value) => put({ ...command, [way]: value ?? {} })}
        />
      )}
      {isNew && way === 'set' ? (
        <Afterwards isOn={isTurnedOn(command)} then={then} onThen={(delay) => put(command, delay)} />
      ) : null}
    </>
  );
}

function isTurnedOn({ set }: JsonObject): boolean {
  return isObject(set) && set['on'] === true;
}

/** Turned on, opened or unlocked, the other way is said by name; all else goes back to what it was before. */
function oppositeOf(command: JsonObject): JsonObject | undefined {
  const { set } = command;
  if (isTurnedOn(command)) return { on: false };
  const key = ['locked', 'valve_open'].find((one) => isObject(set) && typeof set[one] === 'boolean');
  return key === undefined || !isObject(set) ? undefined : { [key]: set[key] !== true };
}

/** The wait after a new command; `null` for none. */
function followUp(definition: Json, at: string): JsonObject | null {
  const [list, index] = placeOf(at);
  const delay = valueAt(definition, inside(inside(list, index + 1), 'delay'));
  return isObject(delay) ? delay : null;
}

/** The new command, and what ends it: a wait and the way back. */
function stepsWith(command: JsonObject, delay: JsonObject | null | undefined): readonly JsonObject[] {
  if (delay === null || delay === undefined) return [{ command }];
  const set = oppositeOf(command);
  const back = { command: { targets: command['targets'] ?? {}, set: set ?? {} } };
  return [{ command }, { delay }, set === undefined ? { restore: {} } : back];
}

/** The definition with these steps in the place of the new command, which is the last of its list, and of all after it. */
function withLast(definition: Json, at: string, steps: readonly JsonObject[]): Json {
  const [list, index] = placeOf(at);
  const before = valueAt(definition, list);
  return withValueAt(definition, list, [...(isList(before) ? before.slice(0, index) : []), ...steps]);
}

function placeOf(at: string): readonly [list: string, index: number] {
  const [step] = parentOf(at);
  const [list, index] = parentOf(step);
  return [list, Number(index)];
}

type AfterwardsProps = {
  readonly isOn: boolean;
  readonly then: JsonObject | null | undefined;
  readonly onThen: (delay: JsonObject | null) => void;
};
const WAYS = { never: null, after: { s: 1800 }, at: { until: '23:00' } } as const;

/** Asks whether it is only for a while: the steps for that stand in the sentence then, like any others. */
function Afterwards({ isOn, then, onThen }: AfterwardsProps) {
  const words = isOn ? editorWords.offAgain : editorWords.backAgain;
  const chosen = !isObject(then ?? null) ? 'never' : 'until' in (then ?? {}) ? 'at' : 'after';
  const until = then?.['until'];
  return (
    <section class="form">
      <h3 class="field-label">{words}</h3>
      <Choices
        label={words}
        names={['never', 'after', 'at'] as const}
        words={editorWords.again}
        chosen={chosen}
        onChoose={(way) => onThen(WAYS[way])}
      />
      {chosen === 'after' ? (
        <LengthField
          label={memberLabel('step.delay', 's')}
          unit="seconds"
          min={1}
          value={then?.['s']}
          onValue={(s) => onThen({ s })}
        />
      ) : null}
      {chosen === 'at' ? (
        <TextField
          label={memberLabel('trigger.time', 'at')}
          type="time"
          value={typeof until === 'string' ? until : ''}
          onValue={(time) => onThen({ until: time })}
        />
      ) : null}
    </section>
  );
}
