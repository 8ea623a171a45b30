import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Device, Feature, Scene, SceneTarget } from '#web/client/api.ts';
import { FeatureControl } from '#web/controls/feature-control.tsx';
import { Choice } from '#web/form/choice.tsx';
import { FieldError } from '#web/form/text-field.tsx';
import { type Hub, HubProvider, useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { valueWords } from '#web/strings/value-words.ts';
import {
  type DraftTarget,
  isMeant,
  sceneFeatures,
  type Wishes,
  withFeature,
  without,
  withValue,
} from './scene-draft.ts';

type Props = {
  readonly target: DraftTarget;
  /** The same target as the hub has it; absent for a new one. */
  readonly saved: SceneTarget | undefined;
  readonly differences: Scene['active']['differences'];
  readonly fault: string | undefined;
  readonly onChange: (change: (now: DraftTarget) => DraftTarget) => void;
};

/** One device of a scene: whether it takes part, and each of its values with the control of the device page. */
export function SceneTargetEditor({ target, saved, differences, fault, onChange }: Props) {
  const { home } = useHub();
  const entry = home.find(target.device.id);
  const device = entry?.device.value;
  const note = stateWords(saved);
  return (
    <li class="panel scene-target">
      <Choice
        type="checkbox"
        label={device?.name ?? target.device.name}
        note={note}
        isChosen={target.isIn}
        onChoice={(isIn) => onChange((now) => ({ ...now, isIn }))}
      />
      <FieldError text={fault} />
      {entry === undefined || device === undefined || !target.isIn ? null : (
        <Values
          entry={entry}
          device={device}
          set={target.set}
          differences={differences}
          onSet={(change) => onChange((now) => ({ ...now, set: change(now.set) }))}
        />
      )}
    </li>
  );
}

function stateWords(saved: SceneTarget | undefined): string | undefined {
  if (saved === undefined) return houseWords.targets.isNew;
  if (saved.state !== 'ok') return houseWords.targets[saved.state];
  return saved.match === 'absent' ? undefined : houseWords.targets[saved.match];
}

type ValuesProps = {
  readonly entry: DeviceEntry;
  readonly device: Device;
  readonly set: Wishes;
  readonly differences: Props['differences'];
  readonly onSet: (change: (now: Wishes) => Wishes) => void;
};

function Values({ entry, device, set, differences, onSet }: ValuesProps) {
  const hub = useHub();
  const draft = useMemo(() => draftEntry(entry, device, set), [entry, device, set]);
  const wished = draft.device.value.features.filter(({ key }) => key in set && isMeant(device, set, key));
  const others = sceneFeatures(device).filter((feature) => !(feature.key in set) && isMeant(device, set, feature.key));
  // The controls command nothing here: what they set goes into the scene, if it still is there.
  const editing: Hub = {
    ...hub,
    commands: { ...hub.commands, set: (_entry, key, { value }) => onSet((now) => withValue(now, key, value)) },
    questions: { ...hub.questions, ask: (_question, onConfirm) => onConfirm() },
  };
  return (
    <>
      <HubProvider value={editing}>
        <ul>
          {wished.map((feature) => (
            <li key={feature.key} class="feature">
              <div class="feature-head">
                <span class="feature-name">
                  <bdi>{feature.name}</bdi>
                  <Present difference={differences.find(({ key }) => key === feature.key)} feature={feature} />
                </span>
                {feature.value_type === 'color' ? null : (
                  <span class="feature-value">{valueWords(feature, set[feature.key])}</span>
                )}
              </div>
              {wished.length > 1 ? (
                <button
                  type="button"
                  class="button button-plain button-icon scene-drop"
                  aria-label={houseWords.targets.drop(feature.name)}
                  onClick={() => onSet((now) => without(now, feature.key))}
                >
                  <Icon name="close" size={18} />
                </button>
              ) : null}
              <FeatureControl entry={draft} feature={feature} />
            </li>
          ))}
        </ul>
      </HubProvider>
      {others.length === 0 ? null : (
        <div class="scene-more">
          {others.map((feature) => (
            <button
              key={feature.key}
              type="button"
              class="chip"
              onClick={() => onSet((now) => withFeature(now, device, feature))}
            >
              <Icon name="plus" size={16} />
              {feature.name}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

type PresentProps = { readonly difference: Props['differences'][number] | undefined; readonly feature: Feature };

/** How the device is now, where that is not what the scene wants. */
function Present({ difference, feature }: PresentProps) {
  if (difference === undefined) return null;
  const { value, quality } = difference;
  return (
    <span class="trust">
      {quality === 'none' ? houseWords.targets.unknown : houseWords.targets.now(valueWords(feature, value))}
    </span>
  );
}

/** The device as the scene wants it. Its controls work although the real one may be out of reach. */
function draftEntry(entry: DeviceEntry, device: Device, set: Wishes): DeviceEntry {
  const features = device.features.map((feature) =>
    feature.key in set ? { ...feature, value: set[feature.key], quality: 'confirmed' as const } : feature,
  );
  const availability = { ...device.availability, state: 'online' as const, reason: null };
  return { ...entry, device: signal({ ...device, availability, features }), pending: signal(new Map()) };
}
