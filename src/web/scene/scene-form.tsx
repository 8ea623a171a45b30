import type { Device, Scene, SceneTargetWish, SceneCaptured } from '#web/client/api.ts';
import { Slider } from '#web/controls/slider.tsx';
import { FormFrame } from '#web/form/form-frame.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { type Form, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { useTask } from '#web/parts/use-task.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { useState, useEffect } from 'preact/hooks';
import { HubProblem } from '#web/client/hub-problem.ts';
import { fieldWords } from '#web/form/field-faults.ts';
import { IconField } from './icon-field.tsx';
import { newTarget, sceneFeatures, type SceneDraft, withTarget, draftFrom, wishesOf } from './scene-draft.ts';
import { SceneTargetEditor } from './scene-target.tsx';
import { SkippedList } from './skipped-list.tsx';

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
        input={NAME_INPUT}
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

type TrySceneProps = {
  readonly name: string;
  readonly wishes: readonly SceneTargetWish[];
  readonly transitionMs: number | null;
};

/** Shows the scene in the home before it is saved, and puts everything back as it was. */
function TryScene({ name, wishes, transitionMs }: TrySceneProps) {
  const { commands, home } = useHub();
  const [tried, setTried] = useState<string | null>(null);
  const tryIt = useTask(async () => {
    if (wishes.length === 0) return;
    const present = wishes.filter(({ device }) => home.find(device) !== undefined);
    const command = await commands.bar.run(houseWords.tried(name), '/command', {
      wishes: present.map(({ device, set }) => ({ device, set })),
      ...(transitionMs === null ? {} : { transition_ms: transitionMs }),
    });
    // The first of several tries is put back last.
    if (command !== undefined) setTried(command.id);
  });
  const putBack = useTask(async (id: string) => {
    await commands.bar.undo(id);
    setTried(null);
  });
  const isBusy = tryIt.isRunning || putBack.isRunning;
  return (
    <>
      {tried === null ? null : (
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => putBack.run(tried)}>
          {houseWords.putBack}
        </button>
      )}
      <button
        type="button"
        class="button"
        aria-disabled={isBusy || wishes.length === 0}
        onClick={() => isBusy || tryIt.run()}
      >
        {houseWords.tryIt}
      </button>
    </>
  );
}

/**
 * A scene that is being edited, and what can be done with it. The tasks throw what the hub refuses. `again` reads the
 * scene again.
 */
function useSceneDraft(scene: Scene, again: () => Promise<void>) {
  const { client, home, messages } = useHub();
  /** The scene that the changes begin from. */
  const [first, setFirst] = useState(scene);
  const [draft, setDraft] = useState(() => draftFrom(scene));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [skipped, setSkipped] = useState<SceneCaptured['skipped']>([]);
  const isSame = JSON.stringify(draft) === JSON.stringify(draftFrom(first));
  const isOutdated = scene.revision > first.revision;
  const restart = (from: Scene, left: SceneCaptured['skipped'] = []): void => {
    setFirst(from);
    setDraft(draftFrom(from));
    setFaults({});
    setSkipped(left);
  };
  useEffect(() => {
    if (isOutdated && isSame) restart(scene);
  }, [isOutdated, isSame]);
  const wishes = wishesOf(draft.targets, (id) => home.find(id)?.device.peek());
  const saveAt = async (revision: number): Promise<void> => {
    const { name, icon, room, transitionMs } = draft;
    const body = { name: name.trim(), icon, room, transition_ms: transitionMs, targets: wishes };
    setFaults({});
    try {
      restart(await client.patchIf<Scene>(revision, `/scene/${scene.id}`, body));
      messages.show(houseWords.saved(name.trim()));
    } catch (cause) {
      if (!(cause instanceof HubProblem)) throw cause;
      const found = targetFaults(cause, wishes);
      setFaults(found);
      // A notice offers both ways on after a conflict.
      if (cause.code !== 'PRECONDITION_FAILED' && Object.keys(found).length === 0) throw cause;
    }
    await again();
  };
  return {
    draft,
    /** From what the draft is by then. */
    change: (part: (now: SceneDraft) => Partial<SceneDraft>): void => setDraft((now) => ({ ...now, ...part(now) })),
    wishes,
    /** Nothing was changed so far. */
    isSame,
    /** Somebody else has changed the scene since. */
    isOutdated,
    /** By the id of the device. */
    faults,
    skipped,
    save: (): Promise<void> => saveAt(first.revision),
    saveMine: (): Promise<void> => saveAt(scene.revision),
    showTheirs: (): void => restart(scene),
    /** Puts the present values of its devices into the scene, and saves it. */
    capture: async (): Promise<void> => {
      const captured = await client.call<SceneCaptured>('POST', `/scene/${scene.id}/capture`);
      restart(captured, captured.skipped);
      messages.show(houseWords.captured);
      await again();
    },
  };
}

/** The first fault of each target. */
function targetFaults({ errors }: HubProblem, wishes: readonly SceneTargetWish[]): Readonly<Record<string, string>> {
  const found = errors.flatMap((error): [string, string][] => {
    const [, field, index] = error.pointer.split('/');
    const wish = field === 'targets' ? wishes[Number(index)] : undefined;
    return wish === undefined ? [] : [[wish.device, fieldWords(error)]];
  });
  return Object.fromEntries(found.filter(([own], at) => found.findIndex(([device]) => device === own) === at));
}
