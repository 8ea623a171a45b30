import { useState } from 'preact/hooks';
import type { HistorySettings } from '#web/client/api.ts';
import { RECORDING_MODES } from '#web/client/vocabulary.ts';
import { numberFrom } from '#web/form/number-from.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { isRecordable } from '#web/history/stretches.ts';
import { useHub } from '#web/hub.ts';
import { useReport } from '#web/parts/use-task.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords } from '#web/strings/value-words.ts';

type Rule = HistorySettings['per'][number];
type Props = { readonly rules: readonly Rule[]; readonly onSaved: () => Promise<void> };

const DECISIONS = [...RECORDING_MODES].reverse();

/** Makes the value of a choice from what a rule is about: `room`, `device` or `capability`, and which. */
function aboutOf({ match }: Pick<Rule, 'match'>): string {
  return Object.entries(match).flat().join(' ');
}

/**
 * Asks what is recorded, and for how long, in a room, of a device or of a kind of value. The first rule that fits
 * counts, so there is one for each of them: choosing it again changes it.
 */
export function RecordingRules({ rules, onSaved }: Props) {
  const { client } = useHub();
  const report = useReport();
  const [about, setAbout] = useState('');
  const [decision, setDecision] = useState<(typeof DECISIONS)[number]>('off');
  const known = rules.findIndex((rule) => aboutOf(rule) === about);
  const at = `/per/${known < 0 ? rules.length : known}`;
  const form = useForm([`${at}/match`, `${at}/raw_days`]);
  const days = useField(form, `${at}/raw_days`, '');
  const { nameOf, options } = useSubjects();
  const choose = (subject: string): void => {
    const rule = rules.find((one) => aboutOf(one) === subject);
    setAbout(subject);
    setDecision(rule?.recording ?? 'off');
    days.onValue(String(rule?.raw_days ?? ''));
  };
  // From the rules of now: the page may be open for long.
  const write = async (change: (per: readonly Rule[]) => readonly object[]): Promise<void> => {
    const { per } = await client.call<HistorySettings>('GET', '/history/settings');
    await client.call('PATCH', '/history/settings', { per: change(per) });
    await onSaved();
  };
  const save = async (): Promise<void> => {
    const [kind = '', ...rest] = about.split(' ');
    const rule = { match: { [kind]: rest.join(' ') }, recording: decision, raw_days: numberFrom(days.value) };
    const isIt = (one: Rule): boolean => aboutOf(one) === about;
    await write((per) => (per.some(isIt) ? per.map((one) => (isIt(one) ? rule : one)) : [...per, rule]));
    choose('');
  };
  const remove = (rule: Rule): Promise<void> =>
    report(() => write((per) => per.filter((one) => aboutOf(one) !== aboutOf(rule))));
  return (
    <PanelForm
      form={form}
      title={historyWords.keep.rules}
      text={historyWords.keep.rulesText}
      submit={known < 0 ? historyWords.keep.addRule : historyWords.keep.changeRule}
      isIdle={about === ''}
      onSubmit={save}
    >
      <RuleList rules={rules} nameOf={nameOf} onRemove={(rule) => void remove(rule)} />
      <SelectField
        label={historyWords.keep.about}
        value={about}
        onValue={choose}
        error={form.faults[`${at}/match`]}
        options={options}
      />
      <SelectField
        label={historyWords.recording.mode}
        value={decision}
        onValue={(chosen) => setDecision(DECISIONS.find((one) => one === chosen) ?? decision)}
        options={DECISIONS.map((one) => [one, historyWords.recording.modes[one]])}
      />
      <TextField
        label={historyWords.keep.ruleDays}
        hint={historyWords.keep.ruleDaysHint}
        {...days}
        input={{ inputMode: 'numeric', maxLength: 6 }}
      />
    </PanelForm>
  );
}

type ListProps = {
  readonly rules: readonly Rule[];
  readonly nameOf: (rule: Rule) => string;
  readonly onRemove: (rule: Rule) => void;
};

function RuleList({ rules, nameOf, onRemove }: ListProps) {
  if (rules.length === 0) return null;
  return (
    <ol>
      {rules.map((rule, index) => (
        <li key={index} class="row">
          <span class="row-text">
            <bdi class="row-title">{nameOf(rule)}</bdi>
            <span class="row-note">{ruleWords(rule)}</span>
          </span>
          <button
            type="button"
            class="button"
            aria-label={historyWords.keep.removeRule(nameOf(rule))}
            onClick={() => onRemove(rule)}
          >
            {settingsWords.exporters.remove}
          </button>
        </li>
      ))}
    </ol>
  );
}

function ruleWords({ recording, raw_days: days }: Rule): string {
  return [historyWords.recording.modes[recording], days === null ? '' : historyWords.keep.keptFor(days)]
    .filter((part) => part !== '')
    .join(', ');
}

/** Lists what a rule can be about, and the names of what rules are about. */
function useSubjects() {
  const { home } = useHub();
  const rooms = home.rooms.value;
  const devices = home.entries.value.map(({ device }) => device.value);
  const capabilities = new Map(
    devices.flatMap(({ features }) => features.filter(isRecordable).map(({ capability, name }) => [capability, name])),
  );
  const options: readonly (readonly [string, string])[] = [
    ['', pageWords.none],
    ...rooms.map(({ id, name }) => [`room ${id}`, historyWords.keep.inRoom(name)] as const),
    ...[...capabilities].map(
      ([capability, name]) => [`capability ${capability}`, historyWords.keep.every(name)] as const,
    ),
    ...devices.map(({ id, name }) => [`device ${id}`, name] as const),
  ];
  const words = new Map(options);
  const nameOf = (rule: Rule): string => {
    const { room, device, capability = '' } = rule.match;
    const gone =
      room !== undefined ? historyWords.keep.goneRoom : device !== undefined ? historyWords.keep.goneDevice : undefined;
    return words.get(aboutOf(rule)) ?? gone ?? historyWords.keep.every(enumWords(capability));
  };
  return { nameOf, options };
}
