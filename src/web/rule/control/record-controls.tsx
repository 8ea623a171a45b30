import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { colorValue, FIRST_COLOR } from '#web/controls/colors.ts';
import { TextField } from '#web/form/text-field.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { inside, isList, isObject, type Json, type JsonObject, parentOf, valueAt } from '#web/rule/sentence/json.ts';
import { deviceOf, type Look, settingLook } from '#web/rule/sentence/look.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { type ControlProps, useEditing } from '#web/rule/editor/editing.ts';
import { OperandControl } from './operand-control.tsx';
import { ValueControl } from './value-control.tsx';

type Props = ControlProps & { readonly record: JsonObject };

/** Asks what a command sets: for each feature a value, or where it comes from. */
export function SettingsControl({ record, spot, onValue }: Props) {
  const { definition, home } = useEditing();
  const around = valueAt(definition, parentOf(spot.pointer)[0]);
  const node = isObject(around) ? around : {};
  const offered = settable(home.features(deviceOf(node)));
  const others = offered.filter(({ key }) => !(key in record));
  const usual = offered.length === 0 && Object.keys(record).length === 0 ? USUAL : [];
  return (
    <>
      {Object.entries(record).map(([key, value]) => {
        const look = settingLook(home, node, key);
        const name = look?.name ?? enumWords(key);
        return (
          <Setting key={key} name={name} onDrop={() => onValue(without(record, key))}>
            <OperandControl
              label={name}
              look={look}
              spot={{ value, pointer: inside(spot.pointer, key) }}
              onValue={(next) => onValue({ ...record, [key]: next })}
            />
          </Setting>
        );
      })}
      <div class="rule-menu-chips">
        {others.map((look) => (
          <AddChip
            key={look.key}
            name={look.name}
            onAdd={() => onValue({ ...record, [look.key]: firstSetting(look) })}
          />
        ))}
        {usual.map(([key, value]) => (
          <AddChip
            key={key}
            name={home.capability(key)?.name ?? enumWords(key)}
            onAdd={() => onValue({ [key]: value })}
          />
        ))}
      </div>
    </>
  );
}

/** For rooms and for any device that fits, where no device says what can be set. */
const USUAL: readonly (readonly [key: string, value: Json])[] = [
  ['on', true],
  ['brightness', 50],
  ['position', 0],
  ['target_temperature', 20],
];

const SETTABLE: ReadonlySet<string> = new Set(['boolean', 'number', 'enum', 'string', 'color']);

function settable(features: readonly Look[]): readonly Look[] {
  return features.filter(({ kind, writable, value_type: type }) => kind === 'state' && writable && SETTABLE.has(type));
}

function firstSetting({ value_type: type, options, min, max, capability }: Look): Json {
  if (type === 'boolean') return true;
  if (type === 'number') return capability === 'color_temperature' ? 2700 : Math.round(((min ?? 0) + (max ?? 100)) / 2);
  return type === 'color' ? (colorValue(FIRST_COLOR, null) as Json) : (options?.[0] ?? '');
}

/** For each mode the value, or the values, of which it must have one. */
export function ModesControl({ record, onValue }: Props) {
  const { home } = useEditing();
  const modes = home.options('mode');
  const others = modes.filter(({ value }) => !(value in record));
  return (
    <>
      {Object.entries(record).map(([key, value]) => {
        const name = home.nameOf('mode', key) ?? key;
        return (
          <Setting key={key} name={name} onDrop={() => onValue(without(record, key))}>
            <ValueControl
              label={name}
              look={home.mode(key)}
              value={value}
              isMany
              onValue={(next) => onValue({ ...record, [key]: isList(next) && next.length === 0 ? value : next })}
            />
          </Setting>
        );
      })}
      <div class="rule-menu-chips">
        {others.map(({ value, words }) => (
          <AddChip
            key={value}
            name={words}
            onAdd={() => onValue({ ...record, [value]: home.mode(value)?.options?.[0] ?? '' })}
          />
        ))}
      </div>
    </>
  );
}

/** Values with names that people choose: for texts, for other programs, for the whole automation. */
export function OperandsControl({ record, spot, onValue }: Props) {
  const [name, setName] = useState('');
  const isGood = /^[a-z][a-z0-9_]{0,31}$/.test(name) && !(name in record);
  return (
    <>
      {Object.entries(record).map(([key, value]) => (
        <Setting key={key} name={key} onDrop={() => onValue(without(record, key))}>
          <OperandControl
            label={key}
            look={undefined}
            spot={{ value, pointer: inside(spot.pointer, key) }}
            onValue={(next) => onValue({ ...record, [key]: next })}
          />
        </Setting>
      ))}
      <div class="rule-length">
        <TextField
          label={editorWords.newName}
          value={name}
          onValue={setName}
          hint={editorWords.nameHint}
          input={{ autocapitalize: 'off', spellcheck: false, maxLength: 32 }}
        />
        <button
          type="button"
          class="button"
          aria-disabled={!isGood}
          onClick={() => {
            if (!isGood) return;
            onValue({ ...record, [name]: 0 });
            setName('');
          }}
        >
          {editorWords.addIt}
        </button>
      </div>
    </>
  );
}

function without(record: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== key));
}

type SettingProps = { readonly name: string; readonly onDrop: () => void; readonly children: ComponentChildren };

/** One of a record under its name, which can be dropped. */
function Setting({ name, onDrop, children }: SettingProps) {
  return (
    <section class="rule-setting">
      <h3 class="rule-setting-head">
        <bdi>{name}</bdi>
        <button
          type="button"
          class="button button-plain button-icon"
          aria-label={editorWords.dropOne(name)}
          onClick={onDrop}
        >
          <Icon name="close" size={18} />
        </button>
      </h3>
      {children}
    </section>
  );
}

function AddChip({ name, onAdd }: { readonly name: string; readonly onAdd: () => void }) {
  return (
    <button type="button" class="chip" onClick={onAdd}>
      <Icon name="plus" size={16} />
      {name}
    </button>
  );
}
