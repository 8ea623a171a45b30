import type { JsonObject } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { findSettable, findState, type Part } from '#integrations/offering/part.ts';
import { asking, clamp, fitting, type Mapped, numberOf, type ReadCommand, valueOf } from './endpoint.ts';

/** Matter counts from open to closed, in hundredths of a percent. */
const CLOSED = 10_000;

export function coverFrom(part: Part): Mapped | undefined {
  const move = findSettable(part, 'cover_state');
  const position = findState(part, 'position');
  const settable = findSettable(part, 'position');
  const main = move ?? settable;
  if (main === undefined) return undefined;
  const tilt = findSettable(part, 'tilt');
  const commands = new Map<string, ReadCommand>([
    ['cover.lift', ({ percent100ths }) => liftCommand(percent100ths, { move, settable })],
  ]);
  const stop = wordOf(move, 'stop');
  if (move !== undefined && stop !== undefined) commands.set('cover.stop', asking({ [move.key]: stop }));
  if (tilt !== undefined) {
    commands.set('cover.tilt', ({ percent100ths }) =>
      typeof percent100ths === 'number' ? { set: { [tilt.key]: fitting(tilt, openShare(percent100ths)) } } : undefined,
    );
  }
  return {
    kind: 'window_covering',
    parts: tilt === undefined ? ['lift'] : ['lift', 'tilt'],
    main,
    used: [main, move, position, tilt].filter((feature) => feature !== undefined),
    state: (device) => ({
      windowCovering: {
        type: tilt === undefined ? 0 : 8,
        endProductType: 0,
        configStatus: configStatus(tilt !== undefined),
        currentPositionLiftPercent100ths: liftOf(device, { move, position }),
        ...(tilt === undefined ? {} : { currentPositionTiltPercent100ths: closedShare(numberOf(device, tilt)) }),
      },
    }),
    commands,
  };
}

type Moving = { readonly move: Feature | undefined; readonly settable: Feature | undefined };

function liftCommand(percent100ths: unknown, { move, settable }: Moving) {
  if (typeof percent100ths !== 'number') return undefined;
  const word = percent100ths === 0 ? wordOf(move, 'open') : wordOf(move, 'close');
  const isEnd = percent100ths === 0 || percent100ths === CLOSED;
  if (settable !== undefined) return { set: { [settable.key]: fitting(settable, openShare(percent100ths)) } };
  // One that knows no places goes to its ends alone.
  return move === undefined || word === undefined || !isEnd ? undefined : { set: { [move.key]: word } };
}

function wordOf(move: Feature | undefined, wanted: string): string | undefined {
  return move?.options?.find((option) => option.startsWith(wanted));
}

function openShare(percent100ths: number): number {
  return 100 - percent100ths / 100;
}

function closedShare(percent: number | null): number | null {
  return percent === null ? null : clamp(Math.round((100 - percent) * 100), 0, CLOSED);
}

function liftOf(device: Device, { move, position }: { move: Feature | undefined; position: Feature | undefined }) {
  const percent = numberOf(device, position);
  if (percent !== null || position !== undefined) return closedShare(percent);
  const word = valueOf(device, move);
  if (typeof word !== 'string') return null;
  return word.startsWith('open') ? 0 : word.startsWith('close') ? CLOSED : null;
}

function configStatus(hasTilt: boolean): JsonObject {
  return {
    operational: true,
    onlineReserved: true,
    liftMovementReversed: false,
    liftPositionAware: true,
    tiltPositionAware: hasTilt,
    liftEncoderControlled: true,
    tiltEncoderControlled: hasTilt,
  };
}

const LOCKED = { jammed: 0, locked: 1, unlocked: 2 } as const;

export function lockFrom(part: Part): Mapped | undefined {
  const locked = findSettable(part, 'locked');
  if (locked === undefined) return undefined;
  const detail = findState(part, 'lock_state');
  return {
    kind: 'door_lock',
    parts: [],
    main: locked,
    used: detail === undefined ? [locked] : [locked, detail],
    state: (device) => {
      const value = valueOf(device, locked);
      const lockState = typeof value === 'boolean' ? (value ? LOCKED.locked : LOCKED.unlocked) : null;
      // On its way the bolt is neither.
      const isBetween = valueOf(device, detail) === 'not_fully_locked';
      return {
        doorLock: {
          lockState: isBetween ? LOCKED.jammed : lockState,
          lockType: 0,
          actuatorEnabled: true,
          operatingMode: 0,
          // The library wants both of every lock, also of one that takes no codes.
          wrongCodeEntryLimit: 3,
          userCodeTemporaryDisableTime: 10,
          supportedOperatingModes: {
            normal: false,
            vacation: true,
            privacy: true,
            noRemoteLockUnlock: true,
            passage: true,
            alwaysSet: 2047,
          },
        },
      };
    },
    commands: new Map([
      ['lock.lock', asking({ [locked.key]: true })],
      ['lock.unlock', asking({ [locked.key]: false })],
    ]),
  };
}

export function valveFrom(part: Part): Mapped | undefined {
  const open = findSettable(part, 'valve_open');
  if (open === undefined) return undefined;
  return {
    kind: 'water_valve',
    parts: [],
    main: open,
    used: [open],
    state: (device) => {
      const value = valueOf(device, open);
      const state = typeof value === 'boolean' ? Number(value) : null;
      return {
        valveConfigurationAndControl: {
          openDuration: null,
          defaultOpenDuration: null,
          remainingDuration: null,
          currentState: state,
          targetState: state,
        },
      };
    },
    commands: new Map([
      ['valve.open', asking({ [open.key]: true })],
      ['valve.close', asking({ [open.key]: false })],
    ]),
  };
}
