import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { TextField } from '#web/form/text-field.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { inside, isList, type JsonObject } from '#web/rule/sentence/json.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { type ControlProps, useEditing } from '#web/rule/editor/editing.ts';
import { OperandControl } from './operand-control.tsx';
import { ValueControl } from './value-control.tsx';

type Props = ControlProps & { readonly record: JsonObject };

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

/** The record with one member less. */
export function without(record: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== key));
}

type SettingProps = { readonly name: string; readonly onDrop: () => void; readonly children: ComponentChildren };

/** One of a record under its name, which can be dropped. */
export function Setting({ name, onDrop, children }: SettingProps) {
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

/** Adds one more to a record. */
export function AddChip({ name, onAdd }: { readonly name: string; readonly onAdd: () => void }) {
  return (
    <button type="button" class="chip" onClick={onAdd}>
      <Icon name="plus" size={16} />
      {name}
    </button>
  );
}
