import type { AutomationId } from '#core/automation/document/condition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { AutomationSave } from '#core/automation/registry/automation-store.ts';
import type { ApiToken, ApiTokenId } from '#auth/token/api-token.ts';
import type { Session, SessionId } from '#auth/session/session.ts';
import type { RunChanges, StoredRun } from '#core/automation-run/trace/run-store.ts';
import type { DeviceId, DeviceRecord, StoredValue } from '#core/device/device.ts';
import type { KeyedRequest } from '#core/request-key/request-keys.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import type { Exporter, ExporterId } from '#core/exporter/exporter.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { User, UserId } from '#core/person/user.ts';
import type { InstanceRecord } from '#core/integration/instance.ts';
import type { Channel, ChannelId } from '#core/notification/channel.ts';
import type { Notification, NotificationId } from '#core/notification/notification.ts';
import type { HourAccount } from '#core/energy/hour-account.ts';
import type { Calendar } from '#core/calendar/calendar.ts';
import type { OwnTemplate } from '#core/automation-template/template-registry.ts';
import { NO_ENERGY, type StoredEnergySettings } from '#core/energy/settings.ts';
import type { Mode } from '#core/mode/mode.ts';
import { type Presence, unknownPresence } from '#core/presence/presence.ts';
import type { Variable } from '#core/variable/variable.ts';
import type { Scene, SceneId } from '#core/scene/scene.ts';
import type { Webhook, WebhookId } from '#core/webhook/webhook.ts';

export const NOW_MS = Date.UTC(2026, 10, 21, 4, 6, 22);

export function makeUser(number: number, changes: Partial<User> = {}): User {
  return {
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}` as UserId,
    email: `Person${number}@Example.org`,
    name: `Person ${number}`,
    role: number === 1 ? 'owner' : 'resident',
    roomIds: null,
    validUntilMs: null,
    hasEnded: false,
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
    revision: 1,
    createdAtMs: NOW_MS,
    updatedAtMs: NOW_MS + 0.25,
    ...changes,
  };
}

export function makeSession(number: number, changes: Partial<Session> = {}): Session {
  return {
    id: `10000000-0000-7000-8000-${String(number).padStart(12, '0')}` as SessionId,
    userId: makeUser(1).id,
    clientName: 'phone',
    address: '192.168.1.20',
    createdAtMs: NOW_MS,
    lastUsedAtMs: NOW_MS,
    expiresAtMs: NOW_MS + 2_592_000_000,
    epoch: '0',
    rotating: true,
    generation: 3,
    tokenHash: new Uint8Array(32).fill(number),
    nextTokenHash: new Uint8Array(32).fill(0),
    spentAtMs: [NOW_MS + 0.5, NOW_MS - 1],
    ...changes,
  };
}

export function makeRoom(number: number, changes: Partial<Room> = {}): Room {
  const id = `20000000-0000-7000-8000-${String(number).padStart(12, '0')}` as RoomId;
  return {
    id,
    selector: `room-${number}`,
    name: `Room ${number}`,
    icon: null,
    revision: 1,
    createdAtMs: 1,
    updatedAtMs: 2,
    ...changes,
  };
}

export function makeFeature(key: string): Feature {
  return {
    key,
    capability: `x.${key}`,
    component: 'main',
    kind: 'state',
    category: 'primary',
    name: key,
    description: null,
    valueType: 'number',
    readable: true,
    writable: false,
    unit: null,
    min: null,
    max: null,
    step: null,
    options: null,
    schema: null,
  };
}

export function makeDevice(number: number, changes: Partial<DeviceRecord> = {}): DeviceRecord {
  return {
    id: `30000000-0000-7000-8000-${String(number).padStart(12, '0')}` as DeviceId,
    integration: 'zigbee2mqtt',
    externalId: `0x${number.toString(16).padStart(16, '0')}`,
    selector: `device-${number}`,
    name: `Device ${number}`,
    ownName: null,
    roomId: null,
    type: 'temperature_sensor',
    manufacturer: 'Maker',
    model: null,
    firmware: null,
    features: [makeFeature('temperature'), makeFeature('humidity')],
    parentExternalId: null,
    staleAfterMs: 3_600_000,
    revision: 1,
    createdAtMs: NOW_MS,
    updatedAtMs: NOW_MS,
    removedAtMs: null,
    ...changes,
  };
}

export function makeValue(device: number, key: string, value: StoredValue['value']): StoredValue {
  return { deviceId: makeDevice(device).id, key, value, observedAtMs: NOW_MS + 5, changedAtMs: NOW_MS };
}

export function makeInstance(number: number, changes: Partial<InstanceRecord> = {}): InstanceRecord {
  return {
    id: `hue-${number}`,
    kind: 'hue',
    name: 'Bridge',
    enabled: true,
    uniqueId: `serial-${number}`,
    settings: { host: '192.168.1.7' },
    settingsVersion: 1,
    secrets: { key: `integration.hue-${number}.key.a` },
    mayReachHub: false,
    isChosen: true,
    revision: 1,
    removedAtMs: null,
    isForgetting: false,
    ...changes,
  };
}

export function makeScene(number: number, changes: Partial<Scene> = {}): Scene {
  const { id: deviceId, selector, name } = makeDevice(1);
  return {
    id: `50000000-0000-7000-8000-${String(number).padStart(12, '0')}` as SceneId,
    selector: `scene-${number}`,
    name: `Scene ${number}`,
    roomId: null,
    icon: 'film',
    transitionMs: 1500,
    targets: [{ deviceId, selector, name, set: { on: true, color: { x: 0.5, y: 0.4 } }, transitionMs: null }],
    isBuiltIn: false,
    revision: 1,
    createdBy: { type: 'session', id: makeSession(1).id, userId: makeUser(1).id },
    createdAtMs: 1,
    updatedAtMs: 2,
    ...changes,
  };
}

export function makeAutomation(number: number, changes: Partial<AutomationRecord> = {}): AutomationRecord {
  const { id: deviceId } = makeDevice(1);
  const user = { id: makeUser(1).id, name: 'Ada' };
  const document = {
    triggers: [{ type: 'feature', device: deviceId, key: 'on', to: true }],
    steps: [{ command: { targets: { devices: [deviceId] }, set: { on: number } } }],
  };
  const { definition } = readDefinition(document, (_kind, id) => id);
  if (definition === undefined) throw new Error('the document is wrong');
  return {
    id: `60000000-0000-7000-8000-${String(number).padStart(12, '0')}` as AutomationId,
    selector: `automation-${number}`,
    name: `Automation ${number}`,
    description: '',
    roomId: null,
    labels: ['light'],
    enabled: true,
    definition,
    version: 1,
    revision: 1,
    template: null,
    signer: { user, via: { type: 'session', id: makeSession(1).id }, signedAtMs: 1 },
    createdBy: user,
    suspended: null,
    names: { [`device/${deviceId}`]: { selector: 'lamp', name: 'Lamp' } },
    enabledAtMs: 1,
    createdAtMs: 1,
    updatedAtMs: 2,
    deletedAtMs: null,
    ...changes,
  };
}

/** The first version of it, as it is saved. */
export function automationSave(record: AutomationRecord): AutomationSave {
  const { user, via } = record.signer;
  const { version, updatedAtMs: atMs } = record;
  return { record, version: { version, atMs, by: { user, via }, note: null, revertedTo: null, pointers: [] } };
}

export function makeWebhook(number: number, changes: Partial<Webhook> = {}): Webhook {
  return {
    id: `40000000-0000-7000-8000-${String(number).padStart(12, '0')}` as WebhookId,
    secret: 'whsec_abc',
    name: null,
    url: 'http://192.168.1.2/hook',
    filter: { types: ['device.changed'], deviceIds: null, roomIds: [] },
    mayReachHub: false,
    enabled: true,
    createdAtMs: 1,
    updatedAtMs: 2,
    ...changes,
  };
}

export function makeNotification(number: number, changes: Partial<Notification> = {}): Notification {
  return {
    id: `40000000-0000-7000-8000-${String(number).padStart(12, '0')}` as NotificationId,
    severity: 'warning',
    title: 'The battery is low',
    text: '',
    to: ['role:owner'],
    key: null,
    builtIn: null,
    deviceId: null,
    source: { kind: 'user', id: makeUser(1).id },
    count: 1,
    createdAtMs: NOW_MS,
    updatedAtMs: NOW_MS,
    repeatS: null,
    acknowledged: null,
    resolvedAtMs: null,
    deliveries: [],
    ...changes,
  };
}

export function makeChannel(number: number, changes: Partial<Channel> = {}): Channel {
  return {
    id: `40000000-0000-7000-8000-${String(number).padStart(12, '0')}` as ChannelId,
    type: 'ntfy',
    name: 'Phone',
    enabled: true,
    minSeverity: 'info',
    userId: null,
    url: 'http://192.168.1.9',
    mayReachHub: false,
    topic: 'home',
    broker: null,
    secret: 'tk_secret',
    createdAtMs: 1,
    updatedAtMs: 2,
    ...changes,
  };
}

/** The hour after so many hours, with some of everything. */
export function makeEnergyHour(number: number, changes: Partial<HourAccount> = {}): HourAccount {
  const measured = { amount: 1.25, inGap: 0.5, knownMs: 3_600_000, isEstimated: false };
  return {
    atMs: number * 3_600_000,
    endMs: (number + 1) * 3_600_000,
    flows: {
      import: { ...measured, cost: { money: { EUR: 0.4 }, gapMoney: { EUR: 0.1 }, unpriced: 0.25 } },
      solar: { ...measured, isEstimated: true, cost: null },
    },
    consumers: new Map([[7, { ...measured, cost: null }]]),
    ...changes,
  };
}

export function makeApiToken(number: number, changes: Partial<ApiToken> = {}): ApiToken {
  return {
    id: `40000000-0000-7000-8000-${String(number).padStart(12, '0')}` as ApiTokenId,
    userId: makeUser(1).id,
    name: 'Evening lights',
    scopes: ['device:read'],
    roomIds: [makeRoom(1).id],
    deviceIds: [makeDevice(1).id],
    networks: ['192.168.1.0/24'],
    provider: null,
    createdAtMs: NOW_MS,
    expiresAtMs: NOW_MS + 0.5,
    epoch: '0',
    lastUsedAtMs: null,
    lastAddress: null,
    tokenHash: new Uint8Array(32).fill(number),
    ...changes,
  };
}

export function makeExporter(number: number, changes: Partial<Exporter> = {}): Exporter {
  return {
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}` as ExporterId,
    type: 'line_protocol',
    name: `Receiver ${number}`,
    url: 'http://192.168.1.20:8086/write?db=home',
    broker: null,
    mayReachHub: false,
    filter: { deviceIds: null, roomIds: null, keys: ['temperature'] },
    enabled: true,
    secret: 'exporter.1.credentials.a',
    start: { atMs: NOW_MS, below: 7 },
    createdAtMs: NOW_MS,
    updatedAtMs: NOW_MS,
    ...changes,
  };
}

/** A trace, a near miss and a count of this automation. */
export function makeRunChanges(number = 1, changes: Partial<StoredRun> = {}): RunChanges {
  const automation = `a0000000-0000-7000-8000-${String(number).padStart(12, '0')}` as AutomationId;
  const id = `b0000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const run: StoredRun = {
    id,
    automation,
    epoch: 'e1',
    outcome: 'finished',
    startedAtMs: NOW_MS + 0.5,
    finishedAtMs: null,
    merged: 3,
    likeness: 'like',
    tellsPresence: number % 2 === 1,
    packed: new Uint8Array([number % 256, 2, 3]),
    ...changes,
  };
  const miss = {
    automation,
    epoch: 'e1',
    trigger: 't1',
    device: null,
    key: null,
    reason: { why: 'disabled' as const },
    atMs: NOW_MS,
    lastAtMs: NOW_MS + 1,
    count: 2,
  };
  return {
    runs: [run],
    goneRuns: [],
    pasts: [{ automation, last: { id, epoch: 'e1', atMs: NOW_MS, outcome: run.outcome }, nearMisses: [miss] }],
    counts: [{ automation, day: 20_000, runs: number, notMet: 2, skipped: 3, failed: 4 }],
    goneAutomations: [],
  };
}

const CHANGED = { changedAtMs: NOW_MS, revision: 1 };
const ISSUER = { type: 'session', id: makeSession(1).id, userId: makeUser(1).id } as const;
const CALLERS = [{ type: 'user', id: makeUser(1).id }] as const;

export function makeKeptRequest(changes: Partial<KeyedRequest> = {}) {
  return { caller: 'caller', key: 'key', fingerprint: 'f', rights: '0', epoch: '0', atMs: NOW_MS, ...changes };
}

export function makeMode(): Mode {
  const until = { epoch: '0', atMs: NOW_MS + 60_000, next: 'off', callers: CALLERS };
  return { ...CHANGED, key: 'season', name: 'Season', values: ['on', 'off'], value: 'on', changedBy: ISSUER, until };
}

export function makeVariable(): Variable {
  const shape = { type: 'number', value: 2, min: 0, max: 9, options: [] } as const;
  return { ...CHANGED, ...shape, key: 'guests', name: 'Guests', changedBy: ISSUER };
}

export function makeCalendar(): Calendar {
  return { ...CHANGED, key: 'holidays', name: 'Holidays', dates: ['12-24'], isFree: true };
}

export function makeTemplate(): OwnTemplate {
  const inputs = {
    lamp: { kind: 'device', label: 'Lamp', capability: 'light', many: true },
    cause: { kind: 'feature', label: 'Cause', capabilities: ['motion'], default: null },
    how: { kind: 'choice', label: 'How', options: ['soft', 'hard'], hint: 'softly' },
    often: { kind: 'number', label: 'Often', min: 1, max: 2 },
  } as const;
  return {
    ...CHANGED,
    key: 'evening',
    version: 1,
    name: 'Evening',
    description: '',
    inputs,
    definition: { steps: [] },
  };
}

export function makePresence(): Presence {
  const word = { state: 'home', by: 'told', epoch: '0', atMs: NOW_MS, callers: CALLERS } as const;
  const sources = [{ deviceId: makeDevice(1).id, key: 'on' }];
  return { ...unknownPresence(makeUser(1).id), state: 'home', evidence: 'told', word, sources };
}

/** With some of everything. */
export function makeEnergySettings(): StoredEnergySettings {
  const series = { device: makeDevice(1).id, key: 'energy' };
  const rule = { price: 0.3, days: ['mon'], time: { fromMinute: 0, toMinute: 60 } } as const;
  return {
    ...NO_ENERGY,
    grid: { import: [series], export: [series], power: { series, positive: 'import' } },
    battery: [{ charge: series, discharge: series, power: { series, positive: 'charge' }, level: series }],
    consumers: [{ series, name: 'Oven', within: null }],
    tariffs: [{ id: 't1', for: 'import', currency: 'EUR', validFrom: '2026-01-01', kind: 'times', rules: [rule] }],
    consumerNumbers: { [`${series.device}/energy`]: 1 },
    powers: [`${series.device}/power`],
  };
}
