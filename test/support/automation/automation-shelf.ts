import { faultOfCron } from '#automations/cron.ts';
import type { JsonValue } from '#base/json.ts';
import { createUuidSource } from '#base/uuid.ts';
import { systemRandom } from '#base/random.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import { type AutomationNews, openAutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationStore } from '#core/automation/registry/automation-store.ts';
import type { NewAutomation } from '#core/automation/registry/saved-change.ts';
import type { Signer } from '#core/automation/registry/automation-record.ts';
import { findIdWith } from '#core/automation/registry/references.ts';
import type { Device } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import type { Variable } from '#core/variable/variable.ts';
import type { UserId } from '#core/person/user.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { type Bench, createBench } from '#test/storage/storage-harness.ts';
import { makeDevice } from '#test/storage/storage-makers.ts';
import { createFeature } from '#test/support/hub/feature.ts';

const ADA: Signer = {
  user: { id: 'a0000000-0000-7000-8000-000000000001' as UserId, name: 'Ada' },
  via: { type: 'session', id: 'b0000000-0000-7000-8000-000000000001' },
  signedAtMs: 1_000,
};
export const SIGNER = ADA;
const GUESTS: Variable = {
  key: 'guests',
  name: 'Guests',
  type: 'number',
  min: null,
  max: null,
  options: [],
  value: 0,
  changedAtMs: 0,
  changedBy: null,
  revision: 1,
};

function deviceFrom(number: number, selector: string): Device {
  const availability = { state: 'online', sinceMs: 0, lastSeenAtMs: null, reason: null } as const;
  const features = [createFeature('on', { writable: true }), createFeature('motion', { capability: 'motion' })];
  const record = makeDevice(number, { selector, name: selector, features });
  return { ...record, availability, states: new Map() };
}

/** The registry of automations over a real database, in a home with two devices. */
export async function openShelf(bench: Bench = createBench()) {
  const storage = storageInProcess(await bench.openOwned());
  const devices = new Map([deviceFrom(1, 'hall-lamp'), deviceFrom(2, 'hall-motion')].map((one) => [one.selector, one]));
  const events: HomeEvent[] = [];
  const news: AutomationNews[] = [];
  const { log } = createRecordingLog();
  const happened = createSubscribers<[HomeEvent]>(log);
  const time = { wallMs: 10_000, hubMs: 10_000 };
  const place = { isKnown: true };
  const variables: Variable[] = [GUESTS];
  const house = { mode: HOME_MODE };
  const findDevice = (name: string): Device | undefined =>
    devices.get(name) ?? [...devices.values()].find(({ id }) => id === name);
  const open = (store: AutomationStore = storage.automations) =>
    openAutomationRegistry({
      store,
      home: {
        devices: () => [...devices.values()],
        findDevice,
        findRoom: () => undefined,
        findScene: () => undefined,
        findMode: (key) => (key === 'home' ? house.mode : undefined),
        findVariable: (key) => variables.find((one) => one.key === key),
        findPerson: (id) => (id === ADA.user.id ? ADA.user : undefined),
        isOwner: (id) => id === ADA.user.id,
        findIntegration: () => undefined,
        hasLocation: () => place.isKnown,
        isRecorded: () => true,
        faultOfCron,
      },
      subscribe: happened.add,
      emit: (event) => void events.push(event),
      newId: createUuidSource(() => time.wallMs, systemRandom),
      clock: { wallMs: () => time.wallMs },
      nowMs: () => time.hubMs,
      log,
    });
  const registry = await open();
  registry.subscribe((one) => void news.push(one));
  const read = (document: JsonValue): Definition => {
    const { definition, errors } = readDefinition(document, findIdWith(registry.findTarget));
    if (definition === undefined) throw new Error(JSON.stringify(errors));
    return definition;
  };
  const lamp = (on: boolean): Definition =>
    read({
      triggers: [{ type: 'feature', device: 'hall-motion', key: 'motion', to: true }],
      steps: [{ command: { targets: { devices: ['hall-lamp'] }, set: { on } } }],
    });
  const wanted = (changes: Partial<NewAutomation> = {}): NewAutomation => ({
    name: 'Hall light',
    description: '',
    roomId: null,
    labels: [],
    enabled: true,
    definition: lamp(true),
    template: null,
    signer: ADA,
    note: null,
    ...changes,
  });
  /** The device leaves the home, and comes back. */
  const takeAway = (selector: string): (() => void) => {
    const device = devices.get(selector);
    if (device === undefined) throw new Error(`there is no ${selector}`);
    devices.delete(selector);
    happened.tell({ type: 'device.removed', device });
    return () => {
      devices.set(selector, device);
      happened.tell({ type: 'device.added', device });
    };
  };
  return {
    registry,
    house,
    storage,
    bench,
    open,
    read,
    lamp,
    wanted,
    takeAway,
    events,
    news,
    place,
    variables,
    time,
    happened,
  };
}
