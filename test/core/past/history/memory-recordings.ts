import {
  openRecordingSettings,
  type RecordingStore,
  type StoredRecording,
} from '#core/past/history/recording-settings.ts';

/** A store of recording settings that survives restarts of their users. */
export function createMemoryRecordings(): RecordingStore {
  const kept = new Map<string, StoredRecording>();
  return {
    loadRecordings: async () => [...kept.values()],
    saveRecording: async (stored) => void kept.set(`${stored.deviceId}/${stored.key}`, stored),
    deleteRecording: async (id, key) => void kept.delete(`${id}/${key}`),
  };
}

export const openMemoryRecording = () => openRecordingSettings(createMemoryRecordings());
