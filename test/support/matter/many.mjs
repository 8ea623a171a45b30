// Many small Matter devices in one process: many.mjs FOLDER FIRST_PORT FIRST_DISCRIMINATOR COUNT. Each is a lamp with a
// discriminator of its own. It reads one call per line, and answers with a line: {"id", "result" | "error"}.
import { createInterface } from 'node:readline';
import { Endpoint, Environment, Logger, LogLevel, ServerNode, VendorId } from '@matter/main';
import { DimmableLightDevice } from '@matter/main/devices/dimmable-light';

const [folder, port, discriminator, count] = process.argv.slice(2);
Logger.level = LogLevel.FATAL;
Environment.default.vars.set('storage.path', folder);
process.on('unhandledRejection', (cause) => process.stderr.write(`unhandled ${cause?.message}\n`));

const nodes = [];
for (let at = 0; at < Number(count); at += 1) {
  const own = Number(discriminator) + at;
  const node = await ServerNode.create({
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
  fabrics: () => nodes.map(({ state }) => Object.values(state.commissioning.fabrics ?? {}).length),
};
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, call } = JSON.parse(line);
  Promise.resolve(calls[call]()).then(
    (result) => say({ id, result }),
    (cause) => say({ id, error: String(cause) }),
  );
}
process.exit();
