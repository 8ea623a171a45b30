import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { createAlarmDesk } from './alarm-desk.ts';
import { createDeviceAlarms, type DeviceAlarmsDeps } from './device-alarms.ts';
import { createHubAlarms, type HubAlarms, type HubAlarmsDeps, type StorageLook } from './hub-alarms.ts';
import { BUILT_IN_KINDS, type BuiltInKind } from './notification.ts';
import type { Notifications } from './notifications.ts';

type BuiltInSwitches = Readonly<Record<BuiltInKind, boolean>>;

/** The hub notices these causes by itself; people choose which of them they want to know. */
export type BuiltIns = {
  readonly switches: () => BuiltInSwitches;
  /** On disk when it resolves. What is switched off is over; what is switched on is looked for at once. */
  readonly change: (
    change: Partial<BuiltInSwitches>,
    terms?: Pick<ChangeTerms, 'authorize'>,
  ) => Promise<BuiltInSwitches>;
  readonly noteStorage: (look: StorageLook) => void;
  /** Whether samples of a device, or of all of a script, are left out: it reported more than a day or a month has room for. */
  readonly notePaused: HubAlarms['notePaused'];
  readonly stop: () => void;
};

/** Text by key. */
type SwitchStore = {
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
};

type BuiltInsDeps = Omit<DeviceAlarmsDeps, 'desk'> &
  Omit<HubAlarmsDeps, 'desk'> & {
    readonly store: SwitchStore;
    readonly notifications: Pick<Notifications, 'all' | 'raise' | 'clear'>;
    readonly events: Pick<EventLog, 'subscribe'>;
    readonly startTimer: StartTimer;
  };

const META = 'notification_off';

/** Begins to watch, and looks at everything once. What is shown already is not shown again. */
export async function startBuiltIns(deps: BuiltInsDeps): Promise<BuiltIns> {
  const { store, events } = deps;
  const off = new Set(readOff((await store.loadMeta()).get(META)));
  const inTurn = createTurnQueue();
  const desk = createAlarmDesk({ ...deps, isOn: (kind) => !off.has(kind) });
  const watches = [createDeviceAlarms({ ...deps, desk }), createHubAlarms({ ...deps, desk })] as const;
  const [, hub] = watches;
  const lookAtAll = (): void => {
    for (const watch of watches) watch.lookAtAll();
  };
  const switches = (): BuiltInSwitches =>
    Object.fromEntries(BUILT_IN_KINDS.map((kind) => [kind, !off.has(kind)])) as BuiltInSwitches;
  const unsubscribe = events.subscribe((event) => {
    for (const { onEvent } of watches) onEvent(event);
  });
  lookAtAll();
  return {
    switches,
    change: (change, terms) =>
      inTurn(async () => {
        terms?.authorize?.();
        const next = { ...switches(), ...change };
        const nowOff = BUILT_IN_KINDS.filter((kind) => !next[kind]);
        await store.putMeta(new Map([[META, JSON.stringify(nowOff)]]));
        off.clear();
        for (const kind of nowOff) {
          off.add(kind);
          for (const subject of desk.subjectsOf(kind)) desk.forget(kind, subject);
        }
        lookAtAll();
        return next;
      }),
    noteStorage: hub.noteStorage,
    notePaused: hub.notePaused,
    stop: () => {
      unsubscribe();
      desk.stop();
    },
  };
}

/** Words of another version are left out. */
function readOff(text: string | undefined): readonly BuiltInKind[] {
  const words: unknown = text === undefined ? [] : JSON.parse(text);
  return BUILT_IN_KINDS.filter((kind) => Array.isArray(words) && words.includes(kind));
}
