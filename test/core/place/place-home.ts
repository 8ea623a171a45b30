import { createTurnQueue } from '#base/turn-queue.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { Calendar } from '#core/calendar/calendar.ts';
import { openCalendarRegistry } from '#core/calendar/calendar-registry.ts';
import { openLocationRecord } from '#core/place/location-record.ts';
import { createKeyedDisk } from '#test/core/mode/mode-home.ts';
import { createClockWorld } from '#test/support/machine/clock-world.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** The real location, calendars and hub clock, on disks in memory. */
export async function openTestPlace(disk = createKeyedDisk<Calendar>()) {
  const { log } = createRecordingLog();
  const world = createClockWorld();
  await world.start();
  const hubClock: OpenHubClock = world.clock();
  const meta = new Map<string, string>();
  const store = {
    loadMeta: async () => meta,
    putMeta: async (entries: ReadonlyMap<string, string>) => {
      for (const [key, value] of entries) meta.set(key, value);
    },
  };
  const locationRecord = await openLocationRecord({ store, turn: createTurnQueue(), log });
  const calendars = await openCalendarRegistry({ store: disk, turn: createTurnQueue(), nowMs: hubClock.nowMs, log });
  return { world, hubClock, locationRecord, calendars };
}
