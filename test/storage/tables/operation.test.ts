import { HOME_MODE } from '#core/mode/mode.ts';
import { PLAIN_VIEW } from '#core/person/home-view.ts';
import { unknownPresence } from '#core/presence/presence.ts';
import { expect, test } from 'vitest';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { NO_ENERGY } from '#core/energy/settings.ts';
import { withFault } from '#test/storage/fs-faults.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import {
  automationSave,
  makeApiToken,
  makeAutomation,
  makeChannel,
  makeDevice,
  makeNotification,
  makeEnergyHour,
  makeExporter,
  makeRoom,
  makeRunChanges,
  makeScene,
  makeSession,
  makeUser,
  makeValue,
  makeInstance,
  makeWebhook,
  NOW_MS,
} from '#test/storage/storage-makers.ts';

const user = makeUser(1);
const session = makeSession(1);
const token = makeApiToken(1);
const record = {
  kind: 'change',
  party: 'x',
  type: 'hub.renamed',
  peer: null,
  userId: null,
  actorId: null,
  session: null,
  apiToken: null,
  detail: null,
  count: 1,
  firstAtMs: NOW_MS,
  atMs: NOW_MS,
  epoch: '0',
  wallMs: null,
};

/** Each operation of each table once, in an order in which every one of the kind `write` has something to do. */
const CALLS: readonly (readonly [group: string, name: string, ...args: unknown[]])[] = [
  ['users', 'insertUser', user],
  ['users', 'updateUser', { ...user, name: 'New' }, []],
  ['users', 'loadUsers'],
  ['sessions', 'insertSession', session],
  ['sessions', 'updateSession', { ...session, generation: 9 }],
  ['sessions', 'touchSessions', [{ id: session.id, lastUsedAtMs: NOW_MS + 1, address: '10.0.0.1' }]],
  ['sessions', 'loadSessions'],
  ['sessions', 'deleteSessions', [session.id]],
  ['sessions', 'insertReusedSession', session.id],
  ['sessions', 'loadReusedSessions'],
  ['apiTokens', 'insertApiToken', token],
  ['apiTokens', 'touchApiTokens', [{ id: token.id, lastUsedAtMs: NOW_MS, lastAddress: '10.0.0.1' }]],
  ['apiTokens', 'loadApiTokens'],
  ['apiTokens', 'deleteApiTokens', [token.id]],
  ['audit', 'insertAudit', [record]],
  ['audit', 'loadAudit', { limit: 9 }],
  ['audit', 'countAudit'],
  ['rooms', 'saveRoom', makeRoom(1)],
  ['rooms', 'loadRooms'],
  ['rooms', 'deleteRoom', makeRoom(1).id, []],
  [
    'devices',
    'saveDevices',
    [
      makeDevice(1),
      makeDevice(2),
      makeDevice(3, { removedAtMs: NOW_MS }),
      makeDevice(5, { removedAtMs: NOW_MS, integration: 'hue' }),
    ],
  ],
  ['devices', 'stageDevices', 1, [makeDevice(4)]],
  ['devices', 'saveStagedDevices', 1],
  [
    'recordings',
    'saveRecording',
    { deviceId: makeDevice(4).id, key: 'on', mode: 'off', minIntervalS: null, deadband: 1 },
  ],
  ['recordings', 'loadRecordings'],
  ['recordings', 'deleteRecording', makeDevice(4).id, 'on'],
  ['devices', 'saveValue', makeValue(1, 'on', true)],
  ['devices', 'loadDevicePage', 0],
  ['devices', 'loadValuePage', 0],
  ['devices', 'forgetDevicesOf', 'hue'],
  ['devices', 'forgetDevices', 0],
  ['devices', 'limitDevices', DEVICE_LIMITS],
  ['scenes', 'saveScene', makeScene(1)],
  ['scenes', 'loadScenes'],
  ['scenes', 'deleteScene', makeScene(1).id],
  ['automations', 'saveAutomations', [automationSave(makeAutomation(1))]],
  ['automations', 'saveReplaced', { automations: [automationSave(makeAutomation(3))], scenes: [], devices: [] }],
  ['automations', 'loadAutomations', ''],
  ['automations', 'loadVersions', makeAutomation(1).id],
  ['automations', 'loadVersion', makeAutomation(1).id, 1],
  [
    'automationHooks',
    'saveHookSecret',
    {
      automation: makeAutomation(1).id,
      trigger: 'h1',
      hash: new Uint8Array(32),
      signer: makeAutomation(1).signer,
    },
  ],
  ['automationHooks', 'loadHookSecrets'],
  ['automationHooks', 'deleteHookSecret', makeAutomation(1).id, 'h1'],
  ['automations', 'deleteAutomations', [makeAutomation(1).id]],
  ['webhooks', 'saveWebhook', makeWebhook(1)],
  ['webhooks', 'loadWebhooks'],
  ['webhooks', 'deleteWebhook', makeWebhook(1).id],
  ['entries', 'writeEntries', [{ key: 'run/1', epoch: 'e', value: 1 }]],
  ['entries', 'keepEntries', [{ key: 'run/2', epoch: 'e', value: 1 }], 1_000],
  ['entries', 'loadEntries'],
  ['runs', 'keep', makeRunChanges()],
  ['runs', 'write', makeRunChanges()],
  ['runs', 'loadRuns', null],
  ['runs', 'loadPasts'],
  ['runs', 'loadCounts', 0],
  ['exporters', 'saveExporter', makeExporter(1), '[7,null,0,0,0,0]'],
  ['exporters', 'loadExporters'],
  ['exporters', 'deleteExporter', makeExporter(1).id],
  ['integrations', 'saveInstance', makeInstance(1)],
  ['integrations', 'loadInstances'],
  ['integrations', 'saveState', makeInstance(1).id, { last: 'event-7' }],
  ['integrations', 'loadState', makeInstance(1).id],
  ['integrations', 'deleteInstance', makeInstance(1).id],
  ['notifications', 'saveNotifications', [makeNotification(1)], [makeNotification(2).id]],
  ['notifications', 'loadNotifications'],
  ['notifications', 'saveChannel', makeChannel(1)],
  ['notifications', 'loadChannels'],
  ['notifications', 'deleteChannel', makeChannel(1).id],
  ['notifications', 'saveQuietHours', user.id, { from: '22:00', to: '07:00' }],
  ['notifications', 'loadQuietHours'],
  ['homeViews', 'saveHomeView', user.id, PLAIN_VIEW],
  ['homeViews', 'loadHomeViews'],
  ['modes', 'save', HOME_MODE],
  ['modes', 'load'],
  ['modes', 'remove', 'home'],
  ['variables', 'save', { key: 'bedtime' }],
  ['variables', 'load'],
  ['variables', 'remove', 'bedtime'],
  ['calendars', 'save', { key: 'holidays' }],
  ['calendars', 'load'],
  ['calendars', 'remove', 'holidays'],
  ['templates', 'save', { key: 'evening' }],
  ['templates', 'load'],
  ['templates', 'remove', 'evening'],
  ['presences', 'save', unknownPresence(user.id)],
  ['presences', 'load'],
  ['presences', 'remove', user.id],
  ['energy', 'saveEnergySettings', NO_ENERGY],
  ['energy', 'loadEnergySettings'],
  ['energy', 'saveEnergyHours', [makeEnergyHour(1)]],
  ['energy', 'saveEmptiedHours', [makeEnergyHour(1, { flows: {}, deleted: 'all' })]],
  ['energy', 'loadEnergyHours', 0, NOW_MS],
  ['energy', 'sumEnergyHours', 0, NOW_MS],
  ['energy', 'forgetEnergyHours', 0],
  ['energy', 'readSettledRange'],
  ['energy', 'saveEnergyPrices', 'spot', { removed: [], added: [{ fromMs: 1, toMs: 2, price: 3 }] }],
  ['energy', 'loadEnergyPrices'],
  ['meta', 'putMeta', new Map([['a', '1']])],
  ['meta', 'addMeta', new Map([['b', '1']])],
  ['meta', 'loadMeta'],
  ['users', 'deleteUser', user.id],
];

test('S6: an operation of the kind `write` is on disk when it returns, and every other kind writes nothing', () => {
  const { run, kinds } = createBench().open();
  const found = CALLS.map(([group, name, ...args]) => {
    const { bytesWritten } = withFault(undefined, () => run({ group, name }, args));
    return [`${group}.${name}`, bytesWritten > 0];
  });
  const { backups: _, health: __, history: ___, hours: ____, check: _____, questions: ______, ...tables } = kinds;
  const expected = Object.entries(tables).flatMap(([group, operations]) =>
    Object.entries(operations).map(([name, kind]) => [`${group}.${name}`, kind === 'write']),
  );
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});
