import { useState } from 'preact/hooks';
import type { EnergySettings } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import type { PartProps } from './source-fields.tsx';
import { bodyOf, draftFaults, draftOf, pointersOf, type SettingsDraft, usedSeries } from './settings-draft.ts';

export type SettingsProps = { readonly settings: EnergySettings; readonly again: () => Promise<void> };

/** A draft of the settings, which is saved as a whole. What comes from the hub later overwrites nothing in it. */
export function useDraft(
  { settings, again }: SettingsProps,
  { first, goTo }: { readonly first: () => SettingsDraft; readonly goTo: string },
) {
  const { client, messages, router } = useHub();
  const [draft, setDraft] = useState(first);
  const form = useForm(pointersOf(draft));
  const parts: PartProps = { draft, onDraft: setDraft, context: { used: usedSeries(draft), faults: form.faults } };
  const saveAt = async (revision: number): Promise<void> => {
    try {
      await client.putIf(revision, '/energy/settings', bodyOf(draft));
    } catch (cause) {
      if (!(cause instanceof HubProblem) || cause.code !== 'PRECONDITION_FAILED') throw cause;
      // A notice offers both ways on after a conflict.
      return again();
    }
    messages.show(energyWords.set.saved);
    router.go(goTo);
    await again();
  };
  const submitAt = (revision: number): void => {
    const faults = draftFaults(draft);
    if (Object.keys(faults).length > 0) form.show(faults);
    else form.submit(() => saveAt(revision));
  };
  return {
    parts,
    form,
    submit: () => submitAt(draft.revision),
    conflict:
      settings.revision === draft.revision
        ? undefined
        : { onTheirs: () => setDraft(draftOf(settings)), onMine: () => submitAt(settings.revision) },
  };
}

type BarProps = Pick<ReturnType<typeof useDraft>, 'form' | 'conflict'> & {
  /** The fields with faults are not on the page: their words stand here. */
  readonly saysFaults?: boolean;
};

/** The foot of each form for a draft: what is wrong with it, and the button that saves it. */
export function SaveBar({ form, conflict, saysFaults = false }: BarProps) {
  const faults = Object.values(form.faults).flatMap((fault) => fault ?? []);
  const all = saysFaults ? faults.join(' ') : energyWords.set.faults(faults.length);
  return (
    <>
      {faults.length === 0 ? null : <Notice tone="danger" text={form.faults['all'] ?? all} />}
      {conflict === undefined ? null : (
        <Notice tone="warn" text={energyWords.set.conflict}>
          <div class="row-buttons notice-button">
            <button type="button" class="button" onClick={conflict.onTheirs}>
              {energyWords.set.showTheirs}
            </button>
            <button type="button" class="button" onClick={conflict.onMine}>
              {energyWords.set.saveMine}
            </button>
          </div>
        </Notice>
      )}
      <div class="form-buttons save-bar">
        <button type="submit" class="button button-main" aria-disabled={form.isBusy}>
          {form.isBusy ? energyWords.set.saving : energyWords.set.save}
        </button>
      </div>
    </>
  );
}
