import type { Device, Scene } from '#web/client/api.ts';
import { Slider } from '#web/controls/slider.tsx';
import { FormFrame } from '#web/form/form-frame.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { type Form, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { house as houseWords } from '#web/strings/en/house.ts';
import { IconField } from './icon-field.tsx';
import { newTarget, sceneFeatures, type SceneDraft, withTarget } from './scene-draft.ts';
import { SceneTargetEditor } from './scene-target.tsx';
import { SkippedList } from './skipped-list.tsx';
import { TryScene } from './try-scene.tsx';
import { useSceneDraft } from './use-scene-draft.ts';

type Props = { readonly scene: Scene; readonly again: () => Promise<void> };

/** Everything in a scene, changed on the page until it is saved. */
export function SceneForm({ scene, again }: Props) {
  const form = useForm(['name', 'icon', 'room', 'transition_ms']);
  const draftOf = useSceneDraft(scene, again);
  const { draft, change, isSame, isOutdated, wishes } = draftOf;
  return (
    <FormFrame
      form={form}
      class="form"
      onSubmit={() => {
        if (!isSame) form.submit(draftOf.save, { name: draft.name });
      }}
    >
      <Details draft={draft} faults={form.faults} change={(part) => change(() => part)} />
      <h2 class="rows-title">{houseWords.devicesTitle}</h2>
      <SkippedList skipped={draftOf.skipped} />
      <ul class="scene-targets">
        {draft.targets.map((target) => (
          <SceneTargetEditor
            key={target.device.id}
            target={target}
            saved={scene.targets.find(({ device }) => device.id === target.device.id)}
            differences={scene.active.differences.filter(({ device }) => device === target.device.selector)}
            fault={draftOf.faults[target.device.id]}
            onChange={(one) => change(({ targets }) => ({ targets: withTarget(targets, target.device.id, one) }))}
          />
        ))}
      </ul>
      <AddDevice
        draft={draft}
        onAdd={(device) => change(({ targets }) => ({ targets: [...targets, newTarget(device)] }))}
      />
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      {isOutdated && !isSame ? (
        <Notice tone="warn" text={houseWords.conflict}>
          <div class="row-buttons notice-button">
            <button type="button" class="button" onClick={draftOf.showTheirs}>
              {houseWords.showTheirs}
            </button>
            <button type="button" class="button" onClick={() => form.submit(draftOf.saveMine)}>
              {houseWords.saveMine}
            </button>
          </div>
        </Notice>
      ) : null}
      <div class="form-buttons">
        <button
          type="button"
          class="button"
          aria-disabled={!isSame}
          onClick={() => {
            if (isSame) form.submit(draftOf.capture);
          }}
        >
          {houseWords.captureAgain}
        </button>
        <TryScene name={draft.name} wishes={wishes} transitionMs={draft.transitionMs} />
        <button type="submit" class="button button-main" aria-disabled={form.isBusy || isSame}>
          {form.isBusy ? houseWords.saving : houseWords.saveIt}
        </button>
      </div>
    </FormFrame>
  );
}

type DetailsProps = {
  readonly draft: SceneDraft;
  readonly faults: Form['faults'];
  readonly change: (part: Partial<SceneDraft>) => void;
};

const FADE_MOST_S = 60;

function Details({ draft, faults, change }: DetailsProps) {
  const { home } = useHub();
  const fadeS = (draft.transitionMs ?? 0) / 1000;
  const rooms = home.rooms.value.map(({ id, name }) => [id, name] as const);
  return (
    <section class="panel form">
      <TextField
        label={houseWords.name}
        value={draft.name}
        onValue={(name) => change({ name })}
        error={faults['name']}
        input={{ maxLength: 100 }}
      />
      <IconField value={draft.icon} onValue={(icon) => change({ icon })} />
      <SelectField
        label={houseWords.room}
        value={draft.room ?? ''}
        onValue={(room) => change({ room: room === '' ? null : room })}
        options={[['', houseWords.noRoom], ...rooms]}
        error={faults['room']}
      />
      <div class="field">
        <span class="field-label">{houseWords.fade(fadeS)}</span>
        <Slider
          label={houseWords.fadeLabel}
          value={fadeS}
          max={Math.max(FADE_MOST_S, fadeS)}
          words={houseWords.seconds}
          onChange={(seconds) => change({ transitionMs: seconds === 0 ? null : seconds * 1000 })}
        />
      </div>
    </section>
  );
}

type AddProps = { readonly draft: SceneDraft; readonly onAdd: (device: Device) => void };

function AddDevice({ draft, onAdd }: AddProps) {
  const { account, home } = useHub();
  const known = new Set(draft.targets.map(({ device }) => device.id));
  const others = home.entries.value
    .map(({ device }) => device.peek())
    .filter((device) => !known.has(device.id) && sceneFeatures(device).length > 0)
    .filter((device) => !device.sensitive || account.can('device:control_sensitive'));
  if (others.length === 0) return null;
  return (
    <SelectField
      label={houseWords.addDevice}
      value=""
      onValue={(id) => {
        const device = others.find((one) => one.id === id);
        if (device !== undefined) onAdd(device);
      }}
      options={[['', houseWords.choose], ...others.map(({ id, name }) => [id, name] as const)]}
    />
  );
}
