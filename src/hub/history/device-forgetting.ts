import { parseJson } from '#base/json.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { Energy } from '#core/energy/energy.ts';
import { belongsTo, type HistoryDeletion } from '#core/past/history/history-deletion.ts';
import type { Storage } from '#storage/storage.ts';

/** Removes devices together with their history, which goes in the end even if the disk is full or the power fails between. */
export type DeviceForgetting = Awaited<ReturnType<typeof openDeviceForgetting>>;

type Past = { readonly deletion: Pick<HistoryDeletion, 'forgetDevice'>; readonly energy: Pick<Energy, 'deleteHours'> };

/** `begun`: the device may still be there. */
type Stage = 'begun' | 'removed';

const KEY = 'history_to_forget';

/** Open it before devices can return. */
export async function openDeviceForgetting(
  meta: Pick<Storage['meta'], 'loadMeta' | 'putMeta'>,
  { findDevice }: Pick<DeviceRegistry, 'findDevice'>,
) {
  const stages = loadStages((await meta.loadMeta()).get(KEY));
  // A device that is still there was never removed: the power failed before, and the client got no answer.
  for (const [id, stage] of stages) {
    if (stage === 'begun' && findDevice(id) !== undefined) stages.delete(id);
    else stages.set(id, 'removed');
  }
  let isSaved = true;
  const save = async (): Promise<void> => {
    await meta.putMeta(new Map([[KEY, JSON.stringify([...stages])]]));
    isSaved = true;
  };
  const forget = async (id: DeviceId, { deletion, energy }: Past): Promise<void> => {
    await deletion.forgetDevice({ id });
    await energy.deleteHours({ fromMs: 0, toMs: Infinity, isConsumer: (series) => belongsTo(series, id) });
    stages.delete(id);
    await save();
  };
  return {
    /** Rejects with what `remove` throws, and if the history is left for `settle`. */
    removeForgetting: async (id: DeviceId, remove: () => Promise<void>, past: Past): Promise<void> => {
      stages.set(id, 'begun');
      try {
        await save();
        await remove();
      } catch (cause) {
        if (findDevice(id) === undefined) stages.set(id, 'removed');
        else stages.delete(id);
        // Otherwise a later removal that keeps the history would look like this one. The upkeep tries again.
        isSaved = false;
        await Promise.allSettled([save()]);
        throw cause;
      }
      stages.set(id, 'removed');
      await forget(id, past);
    },
    /** Deletes what a failure or a power cut left. */
    settle: async (past: Past): Promise<void> => {
      for (const [id, stage] of stages) if (stage === 'removed') await forget(id, past);
      if (!isSaved) await save();
    },
  };
}

function loadStages(stored = '[]'): Map<DeviceId, Stage> {
  return new Map((parseJson(stored) as [DeviceId, Stage][] | undefined) ?? []);
}
