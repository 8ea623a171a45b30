import type { JsonValue } from '#base/json.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { createUuidSource } from '#base/uuid.ts';
import type { IssuedRequest } from '#core/command/command-order.ts';
import { createCommandService, type CommandService } from '#core/command/command-service.ts';
import type { CommandWay } from '#core/command/command-sender.ts';
import type { Device, DeviceDescription, StoredValue } from '#core/device/device.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { openDeviceRegistry } from '#core/device/device-registry.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { UserId } from '#core/person/user.ts';
import { createFeature } from './feature.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from './recording-log.ts';

export const BRIGHTNESS = createFeature('brightness', {
  capability: 'brightness',
  valueType: 'number',
  unit: 'percent',
  min: 0,
  max: 100,
});
export const LAMP_FEATURES = [
  createFeature('on'),
  BRIGHTNESS,
  createFeature('temperature', { capability: 'temperature', valueType: 'number', writable: false }),
  createFeature('identify', { capability: 'identify', kind: 'action', valueType: 'none', readable: false }),
];

export function describeDevice(externalId: string, details: Partial<DeviceDescription> = {}): DeviceDescription {
  return {
    externalId,
    name: externalId.toUpperCase(),
    type: 'dimmable_light',
    manufacturer: null,
    model: null,
    firmware: null,
    features: LAMP_FEATURES,
    staleAfterMs: null,
    ...details,
  };
}

export type Sent = Parameters<CommandWay['send']>[0];

/** The real registry and commands over a radio that records what it is told and answers as each test has it. */
export async function openCommandHome(descriptions: readonly DeviceDescription[] = [describeDevice('lamp')]) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const events: HomeEvent[] = [];
  const stored: StoredValue[] = [];
  const wire: Sent[] = [];
  const newId = createUuidSource(time.clock.wallMs, (count) => Buffer.alloc(count, 7));
  const registry = await openDeviceRegistry({
    store: {
      limitDevices: async () => 0,
      forgetDevices: async () => [],
      loadDevices: async () => [],
      saveDevices: async () => undefined,
      loadValues: async () => [],
      saveValue: (value) => void stored.push(value),
    },
    clock: time.clock,
    newId,
    emit: (event) => void events.push(event),
    turn: createTurnQueue(),
    roomExists: () => true,
    limits: DEVICE_LIMITS,
    log,
  });
  const radio: { isUp: boolean; send: CommandWay['send'] } = { isUp: true, send: async () => 'transport_ack' };
  const commands: CommandService = createCommandService({
    registry,
    findWay: (integration) =>
      integration === 'radio'
        ? {
            isUp: () => radio.isUp,
            send: (sent) => {
              wire.push(sent);
              return radio.send(sent);
            },
          }
        : undefined,
    emit: (event) => void events.push(event),
    newId,
    clock: time.clock,
    startTimer: time.startTimer,
    log,
  });
  /** Of whoever gives the commands. */
  const rights: { authorize: (device: Device) => void } = { authorize: () => undefined };
  const reports = registry.reportsOf('radio');
  await reports.syncDevices(descriptions);
  for (const { externalId } of descriptions) reports.reportAvailability(externalId, 'online', null);
  const device = (externalId: string): Device => {
    const found = registry.findByExternalId('radio', externalId);
    if (found === undefined) throw new Error(`there is no ${externalId}`);
    return found;
  };
  return {
    time,
    lines,
    events,
    stored,
    wire,
    registry,
    radio,
    rights,
    commands,
    reports,
    device,
    report: (externalId: string, values: Record<string, JsonValue>): void =>
      reports.reportValues(externalId, new Map(Object.entries(values))),
    /** Value and quality as everyone sees them. */
    shown: (externalId: string, key: string): string => {
      const state = device(externalId).states.get(key);
      return `${JSON.stringify(state?.value ?? null)} ${state?.quality ?? 'none'}`;
    },
    /** Everything that was sent, as `lamp on=true`. */
    sent: (): string[] =>
      wire.map(({ externalId, set, action }) =>
        [externalId, ...[...set].map(([key, value]) => `${key}=${JSON.stringify(value)}`), action ?? []]
          .flat()
          .join(' '),
      ),
    /** The statuses that were told of a command, in order. */
    told: (id: string): string[] =>
      events.flatMap((event) =>
        event.type === 'command.changed' && event.command.id === id ? [event.command.status] : [],
      ),
    order: (externalIds: string | readonly string[], set: IssuedRequest['request']['set'] | string): IssuedRequest => ({
      devices: [externalIds].flat().map((id) => device(id)),
      isForOne: typeof externalIds === 'string',
      request: typeof set === 'string' ? { do: set } : { set },
      transitionMs: null,
      expiresInS: null,
      issuer: { type: 'session', id: 'session', userId: 'user' as UserId },
      authorize: (device) => rights.authorize(device),
    }),
  };
}

export type CommandHome = Awaited<ReturnType<typeof openCommandHome>>;
