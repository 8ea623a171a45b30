import { useEffect, useState } from 'preact/hooks';
import type { Scene, SceneCaptured, SceneTargetWish } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { fieldWords } from '#web/form/field-faults.ts';
import { useHub } from '#web/hub.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { draftFrom, type SceneDraft, wishesOf } from './scene-draft.ts';

/** A scene that is being edited, and what can be done with it. The tasks throw what the hub refuses. */
type SceneDraftState = {
  readonly draft: SceneDraft;
  /** From what the draft is by then. */
  readonly change: (part: (now: SceneDraft) => Partial<SceneDraft>) => void;
  readonly wishes: readonly SceneTargetWish[];
  /** Nothing was changed so far. */
  readonly isSame: boolean;
  /** Somebody else has changed the scene since. */
  readonly isOutdated: boolean;
  /** By the id of the device. */
  readonly faults: Readonly<Record<string, string>>;
  readonly skipped: SceneCaptured['skipped'];
  readonly save: () => Promise<void>;
  readonly saveMine: () => Promise<void>;
  readonly showTheirs: () => void;
  /** Puts the present values of its devices into the scene, and saves it. */
  readonly capture: () => Promise<void>;
};

/** `again` reads the scene again. */
export function useSceneDraft(scene: Scene, again: () => Promise<void>): SceneDraftState {
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
    change: (part) => setDraft((now) => ({ ...now, ...part(now) })),
    wishes,
    isSame,
    isOutdated,
    faults,
    skipped,
    save: () => saveAt(first.revision),
    saveMine: () => saveAt(scene.revision),
    showTheirs: () => restart(scene),
    capture: async () => {
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
