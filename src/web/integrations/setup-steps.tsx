import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FieldError } from '#web/client/api.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { type FieldFaults, fieldWords, sentence } from '#web/form/field-faults.ts';
import { focusFirstWrong, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { useTask } from '#web/parts/use-task.ts';
import { kinds } from '#web/strings/en/hub/kinds.ts';
import { kindFault, type SetupShown, type StepShown } from '#web/strings/kind-words.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { CopyField } from '#web/tokens/copy-field.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { answerOf, neededOf, type PresentSettings, type SettingFields, type TypedSettings } from './setting-values.ts';

type Answer = (answer: Readonly<Record<string, unknown>>) => Promise<void>;
type Props = { readonly setup: SetupShown; readonly onAnswer: Answer };
type StepProps = { readonly step: StepShown; readonly onAnswer: Answer };

/** Says a step to people who hear it. */
export function stepWords(step: StepShown | null): string {
  if (step === null) return settingsWords.setup.busy;
  return step.type === 'form' ? '' : (step.text ?? settingsWords.setup.busy);
}

/** The form that somebody fills in, and what they typed: it stays while the hub finds it wrong, or they read elsewhere. */
const draft = signal<{ readonly of: string; readonly typed: TypedSettings }>({ of: '', typed: {} });

/** The present step of a set-up. Another form begins with the values that the hub gives it. */
export function SetupStepView({ setup: { id, kind, step }, onAnswer }: Props) {
  const of = JSON.stringify([id, step?.fields]);
  const typed = draft.value.of === of ? draft.value.typed : {};
  const onTyped = (next: TypedSettings): void => {
    draft.value = { of, typed: next };
  };
  switch (step?.type) {
    case 'form':
      return <FormStep key={of} kind={kind} step={step} typed={typed} onTyped={onTyped} onAnswer={onAnswer} />;
    case 'choose':
      return <ChooseStep step={step} onAnswer={onAnswer} />;
    case 'act':
      return <ActStep step={step} />;
    case 'show':
      return <ShowStep step={step} onAnswer={onAnswer} />;
    default:
      return <SetupBusy words={stepWords(step)} />;
  }
}

type FormProps = StepProps & {
  readonly kind: string;
  readonly typed: TypedSettings;
  readonly onTyped: (typed: TypedSettings) => void;
};

function FormStep({ kind, step, typed, onTyped, onAnswer }: FormProps) {
  const { fields = {}, values = {}, errors = [] } = step;
  const { home } = useHub();
  const form = useForm(Object.keys(fields));
  const present = { ...presentFrom(values), ...allRoomsOf(fields, home.rooms.value) };
  // Errors of the step are about its values: they go once a field is typed anew.
  const own: FieldFaults = Object.fromEntries(errors.map((error) => [error.pointer.slice(1), faultWords(kind, error)]));
  const [changed, setChanged] = useState<readonly string[]>([]);
  const left = Object.fromEntries(Object.entries(own).filter(([key]) => !changed.includes(key)));
  const others = errors.filter(({ pointer }) => !(pointer.slice(1) in fields));
  // Only what is new: another look at the same step must not move the focus of somebody who types.
  useEffect(() => {
    setChanged([]);
    if (errors.length > 0) focusFirstWrong(form.element.current);
  }, [JSON.stringify(errors)]);
  const send = async (): Promise<void> => {
    // The same value may be wrong again.
    setChanged([]);
    await onAnswer(answerOf(fields, present, typed));
    requestAnimationFrame(() => focusFirstWrong(form.element.current));
  };
  return (
    <PanelForm
      form={form}
      submit={settingsWords.setup.next}
      busy={settingsWords.setup.sending}
      needed={neededOf(fields, present, typed)}
      onSubmit={send}
    >
      {others.map((error) => (
        <Notice key={error.pointer} tone="danger" text={faultWords(kind, error)} />
      ))}
      {Object.keys(fields).length === 0 ? <p>{settingsWords.setup.nothingToFill}</p> : null}
      <SettingsFields
        fields={fields}
        present={present}
        typed={typed}
        faults={{ ...left, ...form.faults }}
        onTyped={(next) => {
          const touched = Object.keys(next).filter((key) => next[key] !== typed[key]);
          setChanged([...changed, ...touched]);
          onTyped(next);
        }}
      />
    </PanelForm>
  );
}

function faultWords(kind: string, error: FieldError): string {
  const own = kindFault(kinds[kind], error);
  return own === undefined ? fieldWords(error) : sentence(own);
}

/** Makes the settings that a form begins with. The hub gives plain values; others are not shown. */
function presentFrom(values: Readonly<Record<string, unknown>>): PresentSettings {
  const plain = Object.entries(values).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[key, { value, fixed_by: null }] as const]
      : [],
  );
  return Object.fromEntries(plain);
}

/** Proposes each room where places are asked for: a bridge that offers nothing is of no use to anybody. */
function allRoomsOf(fields: SettingFields, rooms: readonly { readonly id: string }[]): PresentSettings {
  const value = { rooms: rooms.map(({ id }) => id), devices: [] };
  const places = Object.entries(fields).filter(([, { type }]) => type === 'places');
  return Object.fromEntries(places.map(([key]) => [key, { value, fixed_by: null }]));
}

function ChooseStep({ step, onAnswer }: StepProps) {
  const { text = '', options = [] } = step;
  const { run, isRunning, refusal } = useTask(onAnswer);
  return (
    <section class="panel setup-step">
      <h2 class="form-title">{text}</h2>
      {refusal === undefined ? null : <Notice tone="danger" text={refusal} />}
      <ul class="rows setup-options">
        {options.map(({ id, title, detail }) => (
          <li key={id}>
            <button type="button" class="row" aria-disabled={isRunning} onClick={() => run({ option: id })}>
              <span class="row-text">
                <bdi class="row-title">{title}</bdi>
                <bdi class="row-note">{detail}</bdi>
              </span>
              <Icon name="forward" size={18} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ActStep({ step }: { readonly step: StepShown }) {
  const { text, remaining_s: remainingS = 0 } = step;
  const endsMs = useEndMs(step);
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const leftS = Math.min(remainingS, Math.max(0, Math.ceil((endsMs - nowMs) / 1000)));
  return (
    <section class="panel setup-step setup-act">
      <Icon name="clock" size={40} />
      <h2 class="form-title">{text}</h2>
      <p class="countdown" role="timer" aria-label={settingsWords.setup.timer}>
        <span class="connection-dot pulse" />
        {leftS === 0 ? settingsWords.setup.lastLook : settingsWords.setup.left(Math.floor(leftS / 60), leftS % 60)}
      </p>
    </section>
  );
}

/** When the hub stops waiting, by the clock of this browser. Another look at the same step does not start it anew. */
function useEndMs({ until = '', remaining_s: remainingS = 0 }: StepShown): number {
  const known = useRef({ until: '', endsMs: 0 });
  if (known.current.until !== until) known.current = { until, endsMs: Date.now() + remainingS * 1000 };
  return known.current.endsMs;
}

/** Says that the hub is at work. */
export function SetupBusy({ words }: { readonly words: string }) {
  return (
    <section class="panel setup-step" aria-busy="true">
      <h2 class="form-title">{words}</h2>
      <div class="progress" />
    </section>
  );
}

function ShowStep({ step, onAnswer }: StepProps) {
  const { text = '', code = '' } = step;
  const { run, isRunning, refusal } = useTask(onAnswer);
  return (
    <section class="panel setup-step">
      <h2 class="form-title">{text}</h2>
      {refusal === undefined ? null : <Notice tone="danger" text={refusal} />}
      <div class="setup-code">
        <CopyField label={settingsWords.setup.code} value={code} />
      </div>
      <div class="form-buttons">
        <button type="button" class="button button-main" aria-disabled={isRunning} onClick={() => run({})}>
          {isRunning ? settingsWords.setup.sending : settingsWords.setup.next}
        </button>
      </div>
    </section>
  );
}
