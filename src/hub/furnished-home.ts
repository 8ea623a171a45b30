import type { Log } from '#base/log.ts';
import type { StopList } from '#base/stop-list.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import type { Integration } from '#integrations/integration.ts';
import { createHousehold } from '#integrations/simulated-home/household.ts';
import { furnishRooms } from '#integrations/simulated-home/rooms.ts';
import { createSimulatedHome, SIMULATED_HOME } from '#integrations/simulated-home/simulated-home.ts';

export type FurnishedHomeDeps = {
  readonly devices: DeviceRegistry;
  readonly rooms: RoomRegistry;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
};

/** The simulated home, whose devices are put into rooms as they appear. */
export function startFurnishedHome(deps: FurnishedHomeDeps, stops: StopList): Integration {
  const { devices, rooms, clock, startTimer, random, log } = deps;
  stops.add(
    'rooms of the simulated home',
    furnishRooms({
      onChange: devices.onChange,
      updateDevice: devices.updateDevice,
      rooms: rooms.rooms,
      addRoom: rooms.addRoom,
      log: log.part('integrations'),
    }),
  );
  const joined = devices.devicesOf(SIMULATED_HOME).map(({ externalId }) => externalId);
  const household = createHousehold({ clock, startTimer, random, joined });
  return createSimulatedHome({ household, clock, startTimer, log: log.part('simulated-home') });
}
