import { useState } from 'preact/hooks';
import type { Device, Feature, Recording } from '#web/client/api.ts';
import { RECORDING_MODES } from '#web/client/vocabulary.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { numberFrom } from '#web/form/number-from.ts';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { isRecordable } from '#web/history/stretches.ts';
import { useHub } from '#web/hub.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { numberWords } from '#web/strings/value-words.ts';

/** Which features of a device are recorded, and how much of them. Read when somebody wants to know. */
export function RecordingPanel({ device }: { readonly device: Device }) {
  const [isOpen, setIsOpen] = useState(false);
  const features = device.features.filter(isRecordable);
  if (features.length === 0) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{historyWords.recording.title}</h2>
      {isOpen ? (
        <>
          <p class="soft">{historyWords.recording.text}</p>
          <ul>
            {features.map((feature) => (
              <FeatureRecording key={feature.key} device={device} feature={feature} />
            ))}
          </ul>
        </>
      ) : (
        <button type="button" class="button" onClick={() => setIsOpen(true)}>
          {historyWords.recording.open}
        </button>
      )}
    </section>
  );
}

type Props = { readonly device: Device; readonly feature: Feature };

function FeatureRecording({ device, feature }: Props) {
  const { account } = useHub();
  const path = `/device/${device.id}/feature/${encodeURIComponent(feature.key)}/recording`;
  const reading = useReading<Recording>(path);
  const [isEditing, setIsEditing] = useState(false);
  return (
    <li class="feature">
      <ReadingView of={reading} rows={1}>
        {(recording) => (
          <div class="feature-head">
            <span class="feature-name">
              <bdi>{feature.name}</bdi>
              <span class="trust">{recordingWords(recording, feature)}</span>
            </span>
            {account.can('device:manage') ? (
              <button
                type="button"
                class="button"
                aria-label={historyWords.recording.changeOne(feature.name)}
                onClick={() => setIsEditing(true)}
              >
                {historyWords.recording.change}
              </button>
            ) : null}
            {isEditing ? (
              <Dialog title={historyWords.recording.changeOne(feature.name)} onClose={() => setIsEditing(false)}>
                {(close) => (
                  <RecordingForm {...{ path, recording, feature }} onSaved={() => void reading.again().then(close)} />
                )}
              </Dialog>
            ) : null}
          </div>
        )}
      </ReadingView>
    </li>
  );
}

/** How much of a feature is kept, in a sentence. */
function recordingWords(
  { recorded, min_interval_s: intervalS, deadband }: Recording,
  feature: Pick<Feature, 'unit' | 'step'>,
): string {
  if (!recorded) return historyWords.recording.off;
  const limits = [
    intervalS === null ? '' : historyWords.recording.interval(intervalS),
    deadband === null ? '' : historyWords.recording.deadband(numberWords(deadband, feature)),
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? historyWords.recording.everything : historyWords.recording.limited(limits.join(' '));
}

type FormProps = {
  readonly path: string;
  readonly recording: Recording;
  readonly feature: Feature;
  readonly onSaved: () => void;
};

function RecordingForm({ path, recording, feature, onSaved }: FormProps) {
  const { client } = useHub();
  const form = useForm(['mode', 'min_interval_s', 'deadband']);
  const interval = useField(form, 'min_interval_s', String(recording.min_interval_s ?? ''));
  const deadband = useField(form, 'deadband', String(recording.deadband ?? ''));
  const [mode, setMode] = useState(recording.mode);
  const isNumber = feature.value_type === 'number';
  const save = async (): Promise<void> => {
    await client.call('PATCH', path, {
      mode,
      min_interval_s: numberFrom(interval.value),
      ...(isNumber && { deadband: numberFrom(deadband.value) }),
    });
    onSaved();
  };
  return (
    <FormFrame form={form} class="form" onSubmit={() => form.submit(save)}>
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      <SelectField
        label={historyWords.recording.mode}
        value={mode}
        onValue={(chosen) => setMode(RECORDING_MODES.find((one) => one === chosen) ?? mode)}
        options={RECORDING_MODES.map((one) => [one, historyWords.recording.modes[one]])}
        hint={historyWords.recording.modeHint}
        error={form.faults['mode']}
      />
      {mode === 'off' ? null : (
        <>
          <TextField
            label={historyWords.recording.intervalLabel}
            hint={historyWords.recording.intervalHint}
            {...interval}
            input={{ inputMode: 'numeric', maxLength: 6 }}
          />
          {isNumber ? (
            <TextField
              label={historyWords.recording.deadbandLabel(pageWords.units[feature.unit ?? ''] ?? feature.unit ?? '')}
              hint={historyWords.recording.deadbandHint}
              {...deadband}
              input={{ maxLength: 12 }}
            />
          ) : null}
        </>
      )}
      <div class="dialog-buttons">
        <button type="submit" class="button button-main" aria-disabled={form.isBusy}>
          {pageWords.edit.save}
        </button>
      </div>
    </FormFrame>
  );
}
