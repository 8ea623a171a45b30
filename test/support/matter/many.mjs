// Many small Matter devices in one process: many.mjs FOLDER FIRST_PORT FIRST_DISCRIMINATOR COUNT '{"sleeps"?: true}'. Each
// is a lamp with a discriminator of its own; with `sleeps` it says that it sleeps for twenty seconds. It reads one call per line, and answers with a line: {"id", "result" | "error"}.
import { createInterface } from 'node:readline';
import { Endpoint, Environment, Logger, LogLevel, ServerNode, VendorId } from '@matter/main';
import { ManualPairingCodeCodec } from '@matter/main/types';
import { IcdManagementServer } from '@matter/main/behaviors/icd-management';
import { DimmableLightDevice } from '@matter/main/devices/dimmable-light';

const [folder, port, discriminator, count, options = '{}'] = process.argv.slice(2);
const { sleeps = false } = JSON.parse(options);
Logger.level = LogLevel.FATAL;
Environment.default.vars.set('storage.path', folder);
process.on('unhandledRejection', (cause) => process.stderr.write(`unhandled ${cause?.message}\n`));

const Root = sleeps
  ? ServerNode.RootEndpoint.with(IcdManagementServer.with('CheckInProtocolSupport', 'LongIdleTimeSupport'))
  : ServerNode.RootEndpoint;
const icdManagement = {
  idleModeDuration: 20,
  activeModeDuration: 1_000,
  activeModeThreshold: 5_000,
  maximumCheckInBackoff: 20,
  clientsSupportedPerFabric: 2,
  operatingMode: 0,
};
const nodes = [];
for (let at = 0; at < Number(count); at += 1) {
  const own = Number(discriminator) + at;
  const node = await ServerNode.create(Root, {
    ...(sleeps ? { icdManagement } : {}),
    id: `lamp-${own}`,
    network: { port: Number(port) + at, ble: false },
    commissioning: { passcode: 20202021, discriminator: own },
    productDescription: { name: `Lamp ${own}`, deviceType: DimmableLightDevice.deviceType },
    basicInformation: {
      vendorName: 'Test maker',
      vendorId: VendorId(0xfff1),
      nodeLabel: `Lamp ${own}`,
      productName: 'Test lamp',
      productId: 0x8000,
      serialNumber: `serial-${own}`,
      uniqueId: `unique-${own}`,
    },
  });
  await node.add(new Endpoint(DimmableLightDevice, { id: 'lamp', levelControl: { currentLevel: 254 } }));
  await node.start();
  nodes.push(node);
}
const calls = {
  codes: () => nodes.map(({ state }) => state.commissioning.pairingCodes.qrPairingCode),
  /** Codes that find the first of them, and do not let in. */
  wrongCodes: ({ count: most }) =>
    Array.from({ length: most }, (_, at) =>
      ManualPairingCodeCodec.encode({ discriminator: Number(discriminator), passcode: 30_000_001 + at }),
    ),
  /** They wake, and say so to those who do not hear them any more. */
  wake: async () => {
    for (const node of nodes) {
      await node.act((agent) => {
        const icd = agent.get(node.behaviors.supported.icdManagement);
        icd.enterIdleMode();
        icd.requestActiveMode();
      });
    }
    return nodes.length;
  },
  fabrics: () => nodes.map(({ state }) => Object.values(state.commissioning.fabrics ?? {}).length),
};
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, ...args } = JSON.parse(line);
  Promise.resolve(calls[call](args)).then(
    (result) => say({ id, result }),
    (cause) => say({ id, error: String(cause) }),
  );
}
process.exit();
