import { systemRandom } from '#base/random.ts';
import { createUuidSource } from '#base/uuid.ts';
import type { CommandRequest } from '#core/command/command-request.ts';
import type { CommandRequests, CommandTerms } from '#core/command/command-terms.ts';
import { DIRECT } from '#core/cause/cause.ts';
import { createCommandService, type CommandService } from '#core/command/command-service.ts';
import type { CommandWay } from '#core/command/command-way.ts';
import type { Device, DeviceDescription, StoredValue } from '#core/device/device.ts';
import type { UserId } from '#core/person/user.ts';
import { createDeviceDisk, openDeviceHome } from './device-home.ts';
import { createFeature, describeLight } from './feature.ts';

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

/** A lamp that can be dimmed and asked to identify itself. */
export function describeDevice(externalId: string, details: Partial<DeviceDescription> = {}): DeviceDescription {
  return describeLight(externalId, { features: LAMP_FEATURES, ...details });
}

export type Sent = Parameters<CommandWay['send']>[0];

/** The home of `openDeviceHome` with the real commands, and a radio that records requests. A test sets its answers. */
export async function openCommandHome(descriptions: readonly DeviceDescription[] = [describeDevice('lamp')]) {
  const disk = createDeviceDisk();
  const stored: StoredValue[] = [];
  const deviceStore = { ...disk.deviceStore, saveValue: (value: StoredValue) => void stored.push(value) };
  const home = await openDeviceHome({ ...disk, deviceStore });
  const { time, events, registry, reports, device } = home;
  const wire: Sent[] = [];
  const radio: { isUp: boolean } & { -readonly [Key in keyof Omit<CommandWay, 'isUp'>]: CommandWay[Key] } = {
    isUp: true,
    send: async () => 'transport_ack',
  };
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
            ...(radio.sendGroup === undefined ? {} : { sendGroup: radio.sendGroup }),
            ...(radio.findGroups === undefined ? {} : { findGroups: radio.findGroups }),
            pace: radio.pace,
            answersLater: radio.answersLater,
          }
        : undefined,
    sentValues: home.sentValues,
    emit: (event) => void events.push(event),
    newId: createUuidSource(time.clock.wallMs, systemRandom),
    clock: time.clock,
    startTimer: time.startTimer,
    log: home.log,
  });
  /** The rights of the issuer of the commands. */
  const rights: { authorize: (device: Device) => void } = { authorize: () => undefined };
  await reports.syncDevices(descriptions);
  for (const { externalId } of descriptions) reports.reportAvailability(externalId, 'online', null);
  return {
    ...home,
    stored,
    wire,
    radio,
    rights,
    commands,
    /** All requests sent to the integration, as `lamp on=true`. */
    sent: (): string[] =>
      wire.map(({ externalId, set, action }) =>
        [externalId, ...[...set].map(([key, value]) => `${key}=${JSON.stringify(value)}`), action ?? []]
          .flat()
          .join(' '),
      ),
    /** The statuses of a command in its events, in order. */
    statusesOf: (id: string): string[] =>
      events.flatMap((event) =>
        event.type === 'command.changed' && event.command.id === id ? [event.command.status] : [],
      ),
    requestFor: (
      externalIds: string | readonly string[],
      set: CommandRequest['set'] | string,
      terms: Partial<CommandTerms> = {},
    ): [CommandRequests, CommandTerms] => [
      new Map([externalIds].flat().map((id) => [device(id), typeof set === 'string' ? { do: set } : { set }])),
      {
        isForOne: typeof externalIds === 'string',
        transitionMs: null,
        expiresInS: null,
        issuer: { type: 'session', id: 'session', userId: 'user' as UserId },
        cause: DIRECT,
        authorize: (device) => rights.authorize(device),
        ...terms,
      },
    ],
  };
}

export type CommandHome = Awaited<ReturnType<typeof openCommandHome>>;
