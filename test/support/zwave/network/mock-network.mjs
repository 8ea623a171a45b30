// The real driver and server of Z-Wave JS on simulated radio and nodes (the mocks of zwave-js's own tests).
//   node mock-network.mjs [--port 13000] [--control 12999] [--storage DIR]
// Prints "ready" when every node is interviewed. What happens at a node is asked for over the control port.
import http from 'node:http';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createAndStartDriverWithMockPort,
  createDefaultMockControllerBehaviors,
  createDefaultMockNodeBehaviors,
} from 'zwave-js/Testing';
import { MockController, MockNode, createMockZWaveRequestFrame } from '@zwave-js/testing';
import { CommandClasses as CC } from '@zwave-js/core';
import {
  BinarySensorCCReport,
  BinarySwitchCCReport,
  BatteryCCReport,
  ColorSwitchCCSet,
  CentralSceneCCNotification,
  CentralSceneCCSupportedReport,
  MultilevelSensorCCReport,
  NotificationCCReport,
  WakeUpCCWakeUpNotification,
  SwitchType,
  ThermostatMode,
  ThermostatSetpointType,
  DoorLockMode,
  DoorLockOperationType,
} from '@zwave-js/cc';
import { BasicDeviceClass } from '@zwave-js/core';
import { Bytes } from '@zwave-js/shared';
import { ZwavejsServer } from '@zwave-js/server';

const arg = (k, d) => {
  const i = process.argv.indexOf('--' + k);
  return i < 0 ? d : process.argv[i + 1];
};
const PORT = +arg('port', 13000),
  CONTROL = +arg('control', PORT - 1),
  storage = arg('storage', mkdtempSync(path.join(tmpdir(), 'zwave-sim-')));
const t0 = Date.now(),
  at = () => ((Date.now() - t0) / 1000).toFixed(1) + ' s';

const id = [CC['Z-Wave Plus Info'], CC['Manufacturer Specific'], CC.Version]; // the mocks do not answer Association: leave it out
// What: name, then capabilities. A device known to the configuration database is chosen by the three numbers.
const cc = (ccId, version, rest = {}) => ({ ccId, version, isSupported: true, ...rest });
const NODES = [
  {
    id: 2,
    what: 'switch',
    generic: 0x10,
    specific: 0x01,
    man: [0x0086, 0x0003, 0x0060],
    ccs: [
      cc(CC['Binary Switch'], 2, { defaultValue: false }),
      cc(CC.Meter, 4, {
        meterType: 1,
        supportedScales: [0, 2],
        supportedRateTypes: [1],
        supportsReset: true,
        getValue: (scale) => (scale === 2 ? 42.5 : 1.234),
      }),
    ],
  },
  {
    id: 3,
    what: 'dimmer',
    generic: 0x11,
    specific: 0x01,
    man: [0x0063, 0x4944, 0x3038],
    ccs: [
      cc(CC['Multilevel Switch'], 4, { defaultValue: 0, primarySwitchType: SwitchType['Down/Up'], travelTime: 0 }),
      cc(CC['Central Scene'], 3),
      cc(CC.Configuration, 4, {
        parameters: [
          { '#': 1, valueSize: 1, name: 'Relay mode', minValue: 0, maxValue: 2, defaultValue: 0 },
          { '#': 2, valueSize: 2, name: 'Fade time', minValue: 0, maxValue: 1000, defaultValue: 10 },
        ],
      }),
    ],
  },
  {
    id: 4,
    what: 'contact',
    generic: 0x07,
    specific: 0x01,
    man: [0x0371, 0x0002, 0x0007],
    sleeping: true,
    ccs: [
      cc(CC.Notification, 8, { supportsV1Alarm: false, notificationTypesAndEvents: { 6: [22, 23], 7: [3] } }),
      CC['Wake Up'],
      cc(CC.Battery, 1),
      cc(CC['Multilevel Sensor'], 11, { sensors: { 1: { supportedScales: [0] } }, getValue: () => 20.5 }),
    ],
  },
  {
    id: 5,
    what: 'thermostat',
    generic: 0x08,
    specific: 0x06,
    man: [0x0002, 0x0115, 0xa010],
    ccs: [
      cc(CC['Thermostat Mode'], 3, {
        supportedModes: [ThermostatMode.Off, ThermostatMode.Heat, ThermostatMode['Energy heat']],
      }),
      cc(CC['Thermostat Setpoint'], 3, {
        setpoints: {
          [ThermostatSetpointType.Heating]: { minValue: 5, maxValue: 30, defaultValue: 20, scale: '°C' },
          [ThermostatSetpointType['Energy Save Heating']]: { minValue: 5, maxValue: 25, defaultValue: 17, scale: '°C' },
        },
      }),
      cc(CC['Multilevel Sensor'], 11, { sensors: { 1: { supportedScales: [0] } }, getValue: () => 21.3 }),
      cc(CC.Battery, 1),
    ],
  },
  {
    id: 6,
    what: 'lock',
    generic: 0x40,
    specific: 0x03,
    man: [0x003b, 0x0001, 0x0469],
    ccs: [
      cc(CC['Door Lock'], 4, {
        supportedOperationTypes: [DoorLockOperationType.Constant],
        supportedDoorLockModes: [DoorLockMode.Unsecured, DoorLockMode.Secured],
        boltSupported: true,
        latchSupported: true,
        doorSupported: true,
        travelTime: 0,
      }),
      cc(CC['User Code'], 1, { numUsers: 5 }),
      cc(CC.Notification, 8, { supportsV1Alarm: false, notificationTypesAndEvents: { 6: [1, 2, 5, 6] } }),
      cc(CC.Battery, 1),
    ],
  },
  {
    id: 7,
    what: 'cover',
    generic: 0x11,
    specific: 0x06,
    man: [0x0159, 0x0003, 0x0052],
    ccs: [
      cc(CC['Multilevel Switch'], 4, {
        defaultValue: 0,
        primarySwitchType: SwitchType['Close/Open'],
        travelTime: 4000,
      }),
    ],
  },
  {
    id: 8,
    what: 'motion',
    generic: 0x07,
    specific: 0x01,
    man: [0x0086, 0x0002, 0x0064],
    ccs: [
      cc(CC['Binary Sensor'], 2, { supportedSensorTypes: [12], getValue: () => false }),
      cc(CC.Notification, 8, { supportsV1Alarm: false, notificationTypesAndEvents: { 7: [3, 8] } }),
      cc(CC['Multilevel Sensor'], 11, {
        sensors: { 1: { supportedScales: [0] }, 3: { supportedScales: [1] }, 5: { supportedScales: [0] } },
        getValue: (t) => ({ 1: 22.1, 3: 150, 5: 44 })[t ?? 1],
      }),
      cc(CC.Battery, 1),
    ],
  },
  {
    id: 9,
    what: 'doubleswitch',
    generic: 0x10,
    specific: 0x01,
    man: [0x0159, 0x0002, 0x0051],
    ccs: [cc(CC['Binary Switch'], 2, { defaultValue: false }), cc(CC['Multi Channel'], 4)],
    endpoints: [
      {
        genericDeviceClass: 0x10,
        specificDeviceClass: 0x01,
        commandClasses: [cc(CC['Binary Switch'], 2, { defaultValue: false })],
      },
      {
        genericDeviceClass: 0x10,
        specificDeviceClass: 0x01,
        commandClasses: [cc(CC['Binary Switch'], 2, { defaultValue: true })],
      },
    ],
  },
  {
    id: 10,
    what: 'colorbulb',
    generic: 0x11,
    specific: 0x01,
    man: [0x0371, 0x0103, 0x0002],
    ccs: [
      cc(CC['Multilevel Switch'], 4, { defaultValue: 0, primarySwitchType: SwitchType['Down/Up'] }),
      cc(CC['Color Switch'], 3, { colorComponents: { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0 } }),
    ],
  },
];

// The shipped parser of a color writes to its class and fails, and then no node answers any more.
ColorSwitchCCSet.colorTable = {};
const COLOR_NAMES = { warmWhite: 'Warm White', coldWhite: 'Cold White', red: 'Red', green: 'Green', blue: 'Blue' };

const nodes = new Map();
let controller;
const { driver, continueStartup, mockPort, serial } = await createAndStartDriverWithMockPort({
  portAddress: '/mock',
  logConfig: { enabled: false },
  storage: { cacheDir: storage, deviceConfigPriorityDir: undefined },
  // As the server's own program sets it.
  emitValueUpdateAfterSetValue: true,
  attempts: { openSerialPort: 1 },
  timeouts: { report: 500 },
  interview: { queryAllUserCodes: false },
  securityKeys: {
    S2_Unauthenticated: Buffer.alloc(16, 1),
    S2_Authenticated: Buffer.alloc(16, 2),
    S2_AccessControl: Buffer.alloc(16, 3),
    S0_Legacy: Buffer.alloc(16, 4),
  },
});
// A mock that gets no acknowledgement in time, as on a busy machine, must not end the others.
process.on('unhandledRejection', (cause) => console.error('mock:', String(cause)));
driver.on('error', (e) => console.error('driver:', e.message));
controller = await MockController.create({
  mockPort,
  serial,
  homeId: 0x7e570042,
  ownNodeId: 1,
  capabilities: { firmwareVersion: '7.20', libraryVersion: 'Z-Wave 7.20' },
});
controller.defineBehavior(...createDefaultMockControllerBehaviors());
for (const n of NODES) {
  const node = await MockNode.create({
    id: n.id,
    controller,
    capabilities: {
      basicDeviceClass: BasicDeviceClass?.['End Node'] ?? 0x04,
      genericDeviceClass: n.generic,
      specificDeviceClass: n.specific,
      manufacturerId: n.man[0],
      productType: n.man[1],
      productId: n.man[2],
      firmwareVersion: '1.5',
      txDelay: 10,
      isListening: !n.sleeping,
      isFrequentListening: n.what === 'lock' ? '1000ms' : false,
      commandClasses: [...id, ...n.ccs],
      endpoints: n.endpoints,
    },
  });
  node.defineBehavior(...createDefaultMockNodeBehaviors());
  if (n.ccs.some((c) => c.ccId === CC.Battery))
    node.defineBehavior({
      handleCC: (ctrl, self, received) =>
        received.constructor.name === 'BatteryCCGet'
          ? { action: 'sendCC', cc: new BatteryCCReport({ nodeId: self.id, level: n.battery ?? 80, isLow: false }) }
          : undefined,
    });
  // Central Scene has no serializer in zwave-js (a controller never sends it): the payload is written by hand
  if (n.ccs.some((c) => c.ccId === CC['Central Scene']))
    node.defineBehavior({
      handleCC: (ctrl, self, received) =>
        received.constructor.name === 'CentralSceneCCSupportedGet'
          ? {
              action: 'sendCC',
              cc: Object.assign(
                new CentralSceneCCSupportedReport({
                  nodeId: self.id,
                  sceneCount: 2,
                  supportsSlowRefresh: false,
                  supportedKeyAttributes: {},
                }),
                { payload: Bytes.from([2, 0b011, 0x1f]) },
              ),
            }
          : undefined,
    });
  // the shipped mock refuses every setpoint above its minimum
  node.defineBehavior({
    handleCC: (ctrl, self, received) => {
      if (received.constructor.name !== 'ThermostatSetpointCCSet') return;
      self.state.set(`ThermostatSetpoint_setpoint_${received.setpointType}`, received.value);
      self.state.set(`ThermostatSetpoint_scale_${received.setpointType}`, received.scale);
      return { action: 'ok' };
    },
  });
  node.defineBehavior({
    handleCC: (ctrl, self, received) => {
      if (received.constructor.name !== 'ColorSwitchCCSet') return;
      for (const [name, level] of Object.entries(ColorSwitchCCSet.colorTable)) {
        self.state.set(`ColorSwitch_${COLOR_NAMES[name]}`, level);
      }
      ColorSwitchCCSet.colorTable = {};
      return { action: 'ok' };
    },
  });
  controller.addNode(node);
  nodes.set(n.what, Object.assign(node, { spec: n }));
}

const report = (node, make, endpoint) =>
  node.sendToController(
    createMockZWaveRequestFrame(make(endpoint ? { nodeId: 1, endpointIndex: endpoint } : { nodeId: 1 }), {
      ackRequested: false,
    }),
  );
const house = {
  // someone pressed the switch on the wall: value first, then the report, as a device does
  switched: (n, b) => {
    n.state.set(`BinarySwitch_currentValue`, b.value);
    return report(
      n,
      (o) => new BinarySwitchCCReport({ ...o, currentValue: b.value, targetValue: b.value }),
      b.endpoint,
    );
  },
  door: (n, b) =>
    report(n, (o) => new NotificationCCReport({ ...o, notificationType: 6, notificationEvent: b.open ? 22 : 23 })),
  locked: (n, b) =>
    report(n, (o) => new NotificationCCReport({ ...o, notificationType: 6, notificationEvent: b.value ? 1 : 2 })),
  motion: (n, b) =>
    report(
      n,
      (o) =>
        new NotificationCCReport({
          ...o,
          notificationType: 7,
          notificationEvent: b.value ? 8 : 0,
          ...(b.value ? {} : { eventParameters: Uint8Array.from([8]) }),
        }),
    ),
  binary: (n, b) => report(n, (o) => new BinarySensorCCReport({ ...o, type: 12, value: b.value })),
  sensor: (n, b) =>
    report(n, (o) => new MultilevelSensorCCReport({ ...o, type: b.type ?? 1, scale: b.scale ?? 0, value: b.value })),
  battery: (n, b) => report(n, (o) => new BatteryCCReport({ ...o, level: b.level, isLow: b.level < 10 })),
  scene: (n, b) =>
    report(n, (o) =>
      Object.assign(
        new CentralSceneCCNotification({
          ...o,
          sequenceNumber: (n.seq = ((n.seq || 0) + 1) & 255),
          keyAttribute: b.key ?? 0,
          sceneNumber: b.scene ?? 1,
        }),
        { payload: Bytes.from([n.seq, b.key ?? 0, b.scene ?? 1]) },
      ),
    ),
  wake: (n) => report(n, (o) => new WakeUpCCWakeUpNotification(o)),
  dead: (n, b) => {
    n.autoAckControllerFrames = b.value === false;
  },
};
http
  .createServer(async (q, s) => {
    let body = '';
    for await (const c of q) body += c;
    const [, name, verb] = q.url.split('/');
    s.setHeader('content-type', 'application/json');
    try {
      if (name === 'nodes')
        return s.end(
          JSON.stringify(
            [...driver.controller.nodes.values()].map((n) => ({
              id: n.id,
              what: [...nodes].find(([, m]) => m.id === n.id)?.[0],
              ready: n.ready,
              stage: n.interviewStage,
              status: n.status,
              label: n.deviceConfig?.label,
            })),
          ),
        );
      await house[verb](nodes.get(name), body ? JSON.parse(body) : {});
      s.end('true');
    } catch (e) {
      s.statusCode = 400;
      s.end(JSON.stringify({ error: e.stack }));
    }
  })
  .listen(CONTROL, '127.0.0.1');

const waiting = new Set(NODES.map((n) => n.id));
const seen = (n) => {
  n.on('ready', () => {
    waiting.delete(n.id);
    console.log(at(), `node ${n.id} ready`, n.deviceConfig?.label || '');
    if (!waiting.size) console.log(at(), 'ready');
  });
};
driver.once('driver ready', () => {
  console.log(at(), 'driver ready');
  for (const n of driver.controller.nodes.values()) if (n.id !== 1) seen(n);
  // a sleeping node is interviewed when it wakes: wake it until it is done
  const contact = nodes.get('contact'),
    timer = setInterval(
      () => (driver.controller.nodes.get(4).ready ? clearInterval(timer) : void house.wake(contact)),
      1500,
    );
});
const server = new ZwavejsServer(driver, { port: PORT, host: '127.0.0.1' });
driver.once('all nodes ready', () =>
  console.log(at(), 'all nodes ready, RSS', Math.round(process.memoryUsage().rss / 1e6), 'MB'),
);
driver.once('driver ready', async () => {
  await server.start(true);
  console.log(at(), `server ws://127.0.0.1:${PORT}, control http://127.0.0.1:${CONTROL}`);
});
continueStartup();
for (const sig of ['SIGINT', 'SIGTERM'])
  process.on(sig, async () => {
    await server.destroy().catch(() => {});
    await driver.destroy().catch(() => {});
    process.exit(0);
  });
