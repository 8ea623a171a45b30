import type { ComponentChildren } from 'preact';
import { COLOR_PRESETS, cssFrom, hueOf, rgbFromHue, WHITES_K } from '#web/controls/colors.ts';
import { SelectField } from '#web/form/select-field.tsx';
import { type ControlProps, useEditing, useMore } from '#web/rule/editor/editing.ts';
import { operationOf } from '#web/rule/sentence/hole.ts';
import { literalWords } from '#web/rule/sentence/hole-words.ts';
import { inside, isObject, type Json, type JsonObject, parentOf, valueAt } from '#web/rule/sentence/json.ts';
import { type Look, settingLook } from '#web/rule/sentence/look.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { NumberField } from './number-fields.tsx';
import { OperandControl } from './operand-control.tsx';
import { AddChip, Setting, without } from './record-controls.tsx';
import { cardLooks, firstSetting, presetsOf, settableLooks, withSetting } from './setting-presets.ts';

type Props = ControlProps & { readonly record: JsonObject };

/**
 * Asks what a command sets, as the card of the device has it: a row for each feature, with its values one tap away.
 * Exact values, where they come from, and rare settings are behind `More`.
 */
export function SettingsControl({ record, spot, onValue }: Props) {
  const { definition, home } = useEditing();
  const hasMore = useMore();
  const around = valueAt(definition, parentOf(spot.pointer)[0]);
  const node = isObject(around) ? around : {};
  const looks = settableLooks(home, node);
  const isOff = looks.some(({ capability, key }) => capability === 'on' && record[key] === false);
  const isPlain = (key: string): boolean => operationOf(record[key] ?? null) === undefined;
  const rows = cardLooks(looks).filter(
    ({ capability, key }) => isPlain(key) && (key in record || !isOff || capability === 'on'),
  );
  const isRow = (key: string): boolean => rows.some((look) => look.key === key);
  const exact = Object.entries(record).filter(([key]) => hasMore || !isRow(key));
  const others = looks.filter(({ key }) => !(key in record) && !isRow(key));
  return (
    <>
      {rows.map((look) => (
        <SettingRow
          key={look.key}
          look={look}
          value={record[look.key]}
          canLeave={Object.keys(record).some((key) => key !== look.key)}
          onValue={(next) =>
            onValue(next === undefined ? without(record, look.key) : withSetting(record, { look, value: next }, looks))
          }
        />
      ))}
      {exact.map(([key, value]) => {
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
      {others.length === 0 || (rows.length > 0 && !hasMore) ? null : (
        <div class="rule-menu-chips">
          {others.map((look) => (
            <AddChip
              key={look.key}
              name={look.name}
              onAdd={() => onValue({ ...record, [look.key]: firstSetting(look) })}
            />
          ))}
        </div>
      )}
    </>
  );
}

type RowProps = {
  readonly look: Look;
  readonly value: Json | undefined;
  /** Something else is set, so that this one may stay as it is. */
  readonly canLeave: boolean;
  readonly onValue: (value: Json | undefined) => void;
};
const MOST_BUTTONS = 7;

function SettingRow({ look, value, canLeave, onValue }: RowProps) {
  const presets = presetsOf(look);
  const isAmong = value === undefined || presets.some((preset) => isSame(preset, value));
  const values = isAmong ? presets : [...presets, value];
  const leave = canLeave || value === undefined;
  if (look.value_type === 'number' && values.length === 0) {
    return <NumberField label={look.name} value={value} unit={look.unit} onValue={onValue} />;
  }
  if (values.length > MOST_BUTTONS && look.value_type === 'enum') {
    return (
      <SelectField
        label={look.name}
        value={typeof value === 'string' ? value : ''}
        options={[
          ...(leave ? [['', editorWords.asItIs] as const] : []),
          ...values.map((one) => [typeof one === 'string' ? one : '', settingWords(look, one)] as const),
        ]}
        onValue={(next) => onValue(next === '' ? undefined : next)}
      />
    );
  }
  const button = (one: Json | undefined, words: ComponentChildren, label?: string) => (
    <button
      key={JSON.stringify(one) ?? ''}
      type="button"
      aria-pressed={isSame(one, value)}
      aria-label={label}
      onClick={() => onValue(one)}
    >
      {words}
    </button>
  );
  return (
    <section>
      {/* `Turn on` and `Turn off` need no name above them. */}
      {look.key === 'on' ? null : <h3 class="field-label">{look.name}</h3>}
      <div class={look.value_type === 'color' ? 'choices rule-colors' : 'choices'} role="group" aria-label={look.name}>
        {leave ? button(undefined, editorWords.asItIs) : null}
        {values.map((one, index) => {
          const words = settingWords(look, one);
          const color = look.value_type === 'color' ? hueOf(one) : undefined;
          if (color === undefined) return button(one, words);
          const swatch = <span class="swatch" style={{ backgroundColor: cssFrom(rgbFromHue(color)) }} />;
          return button(one, swatch, deviceWords.colors[COLOR_PRESETS[index]?.[0] ?? ''] ?? words);
        })}
      </div>
    </section>
  );
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Words a value as one does it, and not as one reads it. */
function settingWords(look: Look, value: Json): string {
  const { control } = pageWords;
  switch (look.capability) {
    case 'on':
      return value === true ? editorWords.turn.on : editorWords.turn.off;
    case 'locked':
      return value === true ? control.lock : control.unlock;
    case 'valve_open':
      return value === true ? control.openIt : control.closeIt;
    case 'position':
      if (value === 100 || value === 0) return value === 100 ? control.openIt : control.closeIt;
      return literalWords(value, look);
    case 'color_temperature': {
      const white = (['warm', 'neutral', 'cool'] as const).find((name) => WHITES_K[name] === value);
      return deviceWords.whites[white ?? ''] ?? literalWords(value, look);
    }
    default:
      return literalWords(value, look);
  }
}
