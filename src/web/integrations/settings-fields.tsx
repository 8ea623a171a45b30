import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Setting, ApiToken } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { FieldError, TextField } from '#web/form/text-field.tsx';
import type { FieldFaults } from '#web/form/field-faults.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { ended } from '#web/strings/language/grammar.ts';
import { ChosenPlacesField } from '#web/tokens/places-field.tsx';
import {
  type ChosenPlaces,
  fixerWords,
  isNeededAgain,
  isOn,
  placesOf,
  type PresentSettings,
  type SettingFields,
  textOf,
  type TypedSettings,
} from './setting-values.ts';
import { useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { useHub } from '#web/hub.ts';
import { useReading } from '#web/parts/use-reading.ts';
import type { FieldShown } from '#web/strings/kind-words.ts';

type Props = {
  readonly fields: SettingFields;
  readonly present: PresentSettings;
  readonly typed: TypedSettings;
  readonly faults: FieldFaults;
  readonly onTyped: (typed: TypedSettings) => void;
};

/** The fields of any kind of integration, drawn from their descriptions. Those for few people are folded. */
export function SettingsFields({ fields, present, typed, faults, onTyped }: Props) {
  const draw = ([key, field]: readonly [string, FieldShown]) => (
    <Fixable key={key} field={field} setting={present[key]}>
      <OneField
        field={field}
        setting={present[key]}
        typed={typed[key]}
        isNeededAgain={isNeededAgain(key, fields, { present, typed })}
        fault={faults[key]}
        onTyped={(value) => onTyped({ ...typed, [key]: value })}
      />
    </Fixable>
  );
  const all = Object.entries(fields);
  const few = all.filter(([, { advanced }]) => advanced);
  return (
    <>
      {all.filter(([, { advanced }]) => !advanced).map(draw)}
      {few.length === 0 ? null : (
        <details class="more" open={few.some(([key]) => faults[key] !== undefined)}>
          <summary>{settingsWords.setting.more}</summary>
          <div class="form">{few.map(draw)}</div>
        </details>
      )}
    </>
  );
}

type FieldProps = {
  readonly field: FieldShown;
  readonly setting: Setting | undefined;
  readonly typed: TypedSettings[string];
  readonly isNeededAgain: boolean;
  readonly fault: string | undefined;
  readonly onTyped: (value: string | boolean | ChosenPlaces | null) => void;
};

function OneField(props: FieldProps) {
  const { field, setting, typed, fault, onTyped } = props;
  const { type, label, options = [] } = field;
  switch (type) {
    case 'boolean':
      return (
        <div class="field">
          <Choice
            type="checkbox"
            label={label}
            note={field.hint ?? undefined}
            isChosen={isOn(field, setting, typed)}
            onChoice={onTyped}
          />
          <FieldError text={fault} />
        </div>
      );
    case 'choice':
      return (
        <SelectField
          label={label}
          value={textOf(field, setting, typed)}
          options={[
            ...emptyOption(field, setting, typed),
            ...options.map(({ id, label: words }) => [id, words] as const),
          ]}
          hint={field.hint ?? undefined}
          error={fault}
          onValue={onTyped}
        />
      );
    case 'secret':
      return <SecretField {...props} />;
    case 'link':
      return <LinkField {...props} />;
    case 'places':
      return (
        <ChosenPlacesField
          label={label}
          hint={field.hint ?? undefined}
          value={placesOf(field, setting, typed)}
          error={fault}
          onValue={onTyped}
        />
      );
    case 'api_token':
      return (
        <TokenField
          label={label}
          hint={field.hint ?? undefined}
          value={textOf(field, setting, typed)}
          error={fault}
          onValue={onTyped}
        />
      );
    default:
      return (
        <TextField
          label={label}
          value={textOf(field, setting, typed)}
          onValue={onTyped}
          hint={hintOf(field)}
          error={fault}
          input={{
            autocapitalize: 'off',
            spellcheck: false,
            ...(type === 'integer' ? { inputMode: 'numeric' as const } : {}),
            ...(type === 'url' ? { inputMode: 'url' as const } : {}),
            ...(type === 'text' && field.max_length !== undefined ? { maxLength: field.max_length } : {}),
          }}
        />
      );
  }
}

/** The hint of the kind, and what the page itself can say about the field. */
function hintOf({ type, hint, optional, min, max }: FieldShown): string | undefined {
  const range =
    type === 'integer' && min !== undefined && max !== undefined ? settingsWords.setting.range(min, max) : null;
  const parts = [hint, range, optional ? settingsWords.setting.optional : null].filter((part) => part !== null);
  return parts.length === 0 ? undefined : parts.map(ended).join(' ');
}

/** Something to see before a person has chosen, and to take a choice back where there may be none. */
function emptyOption(field: FieldShown, setting: Setting | undefined, typed: TypedSettings[string]) {
  const isEmpty = textOf(field, setting, typed) === '';
  return isEmpty || field.optional
    ? ([['', field.optional ? pageWords.none : settingsWords.setting.choose]] as const)
    : [];
}

/** The hub never shows a secret that is set. It can be replaced or, where it is optional, forgotten. */
function SecretField({ field, setting, typed, isNeededAgain: isAgain, fault, onTyped }: FieldProps) {
  const isSet = setting?.is_set === true;
  const kept = isAgain && typed !== null ? settingsWords.setting.secretAgain : settingsWords.setting.secretKept;
  return (
    <>
      <TextField
        label={field.label}
        type="password"
        autocomplete="off"
        value={textOf(field, setting, typed)}
        onValue={onTyped}
        hint={isSet ? kept : hintOf(field)}
        error={fault}
      />
      {isSet && field.optional ? (
        <Choice
          type="checkbox"
          label={settingsWords.setting.secretForget(field.label)}
          isChosen={typed === null}
          onChoice={(isForgotten) => onTyped(isForgotten ? null : '')}
        />
      ) : null}
    </>
  );
}

/** Another integration, through which this one speaks. */
function LinkField({ field, setting, typed, fault, onTyped }: FieldProps) {
  const { value: all } = useNamedIntegrations();
  const known = (all ?? []).filter(({ kind }) => kind === field.kind);
  const chosen = textOf(field, setting, typed);
  const only = known.length === 1 && chosen === '' && !field.optional ? known[0]?.id : undefined;
  useEffect(() => {
    if (only !== undefined) onTyped(only);
    // Once, when the only one is known.
  }, [only]);
  const isThere = known.some(({ id }) => id === chosen);
  const isLost = chosen !== '' && !isThere && all !== undefined;
  if (all !== undefined && known.length === 0 && !isLost) {
    return (
      <div class="field">
        <span class="field-label">{field.label}</span>
        <p class="field-hint">
          {settingsWords.setting.noLink} <a href="/add">{settingsWords.setting.toAdd}</a>
        </p>
        <FieldError text={fault} />
      </div>
    );
  }
  return (
    <SelectField
      label={field.label}
      value={chosen}
      options={[
        ...emptyOption(field, setting, typed),
        ...(isLost ? [[chosen, settingsWords.setting.lostLink(chosen)] as const] : []),
        ...known.map(({ id, name }) => [id, name] as const),
      ]}
      hint={
        isThere ? (
          <a href={`/settings/integrations/${encodeURIComponent(chosen)}`}>{settingsWords.setting.toLink}</a>
        ) : (
          (field.hint ?? undefined)
        )
      }
      error={fault}
      onValue={onTyped}
    />
  );
}

type FixableProps = Pick<FieldProps, 'field' | 'setting'> & { readonly children: ComponentChildren };

/** The field; or, if the configuration sets the value, the value and what sets it. */
function Fixable({ field, setting, children }: FixableProps) {
  const by = setting?.fixed_by ?? null;
  if (by === null) return <>{children}</>;
  return (
    <dl class="field fixed">
      <dt class="field-label">{field.label}</dt>
      <dd class="fixed-value">
        <bdi>{fixedWords(field, setting)}</bdi>
      </dd>
      <dd class="field-hint">{settingsWords.integrations.fixedBy(fixerWords(by))}</dd>
    </dl>
  );
}

function fixedWords({ type, options = [] }: FieldShown, setting: Setting | undefined): string {
  if (type === 'secret') return setting?.is_set === true ? settingsWords.setting.secretIsSet : pageWords.none;
  const value = setting?.value ?? null;
  if (typeof value === 'boolean') return value ? settingsWords.setting.yes : settingsWords.setting.no;
  if (value === null || typeof value === 'object') return pageWords.none;
  return options.find(({ id }) => id === value)?.label ?? String(value);
}

type TokenFieldProps = {
  readonly label: string;
  readonly hint: string | undefined;
  /** The id of a token; empty for none. */
  readonly value: string;
  readonly onValue: (id: string | null) => void;
  readonly error: string | undefined;
};

/** One of the API tokens of the hub, or none. */
function TokenField({ label, hint, value, onValue, error }: TokenFieldProps) {
  const { account } = useHub();
  const { value: tokens } = useReading<readonly ApiToken[]>(
    account.can('user:manage') ? '/api_token?all=true' : '/api_token',
  );
  const isLost = value !== '' && tokens !== undefined && tokens.every(({ id }) => id !== value);
  return (
    <SelectField
      label={label}
      value={value}
      options={[
        ['', settingsWords.setting.noToken],
        ...(isLost ? [[value, settingsWords.setting.lostToken] as const] : []),
        ...(tokens ?? []).map(({ id, name }) => [id, name] as const),
      ]}
      hint={
        <>
          {hint === undefined ? '' : `${hint}. `}
          <a href="/settings/tokens/add">{settingsWords.setting.toTokens}</a>
        </>
      }
      error={error}
      onValue={(id) => onValue(id === '' ? null : id)}
    />
  );
}
