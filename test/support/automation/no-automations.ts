import { faultOfCron } from '#automations/cron.ts';
import { randomUUID } from 'node:crypto';
import { systemClock } from '#base/time/clock.ts';
import { type AutomationRegistry, openAutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationStore } from '#core/automation/registry/automation-store.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import type { TestHome } from '#test/support/hub/http-home.ts';

/** A registry that begins empty and forgets everything in the end. */
export async function openNoAutomations(home: TestHome): Promise<AutomationRegistry> {
  const store: AutomationStore = {
    loadAutomations: async () => [],
    saveAutomations: async () => undefined,
    deleteAutomations: async () => undefined,
    loadVersions: async () => [],
    loadVersion: async () => undefined,
  };
  return openAutomationRegistry({
    store,
    home: {
      devices: home.registry.devices,
      findDevice: home.registry.findDevice,
      findRoom: home.rooms.findRoom,
      findScene: () => undefined,
      findMode: () => undefined,
      findVariable: () => undefined,
      findPerson: () => undefined,
      isOwner: () => false,
      findIntegration: () => undefined,
      hasLocation: () => true,
      isRecorded: () => false,
      faultOfCron,
    },
    subscribe: () => () => undefined,
    emit: home.events.append,
    newId: randomUUID,
    clock: systemClock,
    nowMs: systemClock.wallMs,
    log: createRecordingLog().log,
  });
}
