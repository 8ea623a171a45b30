// A controller of Matter for tests, by the library that the bridge has too. It reads one call per line, and answers with
// a line: {"id", "result" | "error"}. `await` waits for a report of an attribute.
import { createInterface } from 'node:readline';
import { Crypto, Environment, Logger, LogLevel, ServerNode } from '@matter/main';
import { ControllerCommissioningFlow, PaseClient } from '@matter/main/protocol';
import { ManualPairingCodeCodec } from '@matter/main/types';

const [folder, label, port] = process.argv.slice(2);
/** The last things that the library did: where a home does not join, they say how far it came. */
const steps = [];
Logger.level = LogLevel.INFO;
Logger.destinations.default.write = (text) => {
  steps.push(text.slice(0, 200));
  if (steps.length > 40) steps.shift();
};
Environment.default.vars.set('storage.path', folder);
const plain = (value) =>
  JSON.parse(JSON.stringify(value ?? null, (_key, one) => (typeof one === 'bigint' ? Number(one) : one)));
const node = await ServerNode.create({
  id: 'controller',
  network: { port: Number(port), ble: false },
  commissioning: { enabled: false },
  controller: { adminFabricLabel: label, ble: false },
});
await node.start();

let taken;
/** Beside it the library keeps what it has found and not taken in. */
const peer = () => taken ?? [...node.peers][0];
// What is not read yet, or on its way out, the library shows without clusters.
const isThere = (endpoint) => endpoint.lifecycle.isReady && endpoint.behaviors.has('descriptor');
const allParts = () => [...(peer().parts.get(1)?.parts ?? [])];
const aggregated = () => allParts().filter(isThere);
const findEndpoint = (name) => {
  const found = aggregated().find(
    (endpoint) => endpoint.maybeStateOf('bridgedDeviceBasicInformation')?.nodeLabel === name,
  );
  if (found === undefined) throw new Error(`no endpoint has the name ${name}`);
  return found;
};
const until = async (look, withinMs) => {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > endMs) throw new Error('it did not come in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
let goOn;
const calls = {
  /** Begins to join, and goes no further than to this step until `goOn`. */
  pairUntil: ({ code, step }) =>
    new Promise((resolve, reject) => {
      class Flow extends ControllerCommissioningFlow {
        constructor(...given) {
          super(...given);
          const found = this.commissioningSteps.find(({ name }) => name === step);
          const carryOut = found.stepLogic;
          found.stepLogic = async () => {
            await new Promise((go) => {
              goOn = () => (go(), joined);
              resolve(step);
            });
            return carryOut();
          };
        }
      }
      const joined = node.peers.commission({ pairingCode: code, timeout: 60_000, commissioningFlowImpl: Flow });
      joined.then(resolve, reject);
    }),
  goOn: async () => {
    await goOn();
    return null;
  },
  pair: async ({ code, withinMs = 90_000 }) => {
    const found = await node.peers.commission({ pairingCode: code, timeout: withinMs });
    taken = found;
    // In milliseconds: it learns soon that the bridge has gone without a word.
    await found.set({ network: { defaultSubscription: { minIntervalFloor: 0, maxIntervalCeiling: 5_000 } } });
    await until(() => (found.lifecycle.isOnline && aggregated().length > 0 ? true : undefined), withinMs);
    return null;
  },
  endpoints: async () =>
    aggregated().map((endpoint) => ({
      number: endpoint.number,
      name: endpoint.maybeStateOf('bridgedDeviceBasicInformation')?.nodeLabel,
      reachable: endpoint.maybeStateOf('bridgedDeviceBasicInformation')?.reachable,
      types: plain(endpoint.stateOf('descriptor').deviceTypeList).map(({ deviceType }) => deviceType),
    })),
  command: async ({ name, cluster, command, args }) =>
    plain(await findEndpoint(name).commandsOf(cluster)[command](args)),
  /** Gives the commands in turn, so many at a time, and returns how often each answer came. */
  flood: async ({ name, cluster, commands, count, atOnce }) => {
    const answers = {};
    let given = 0;
    const give = async () => {
      while (given < count) {
        const command = commands[given % commands.length];
        given += 1;
        const commandsOf = findEndpoint(name).commandsOf(cluster);
        const word = await commandsOf[command]().then(
          () => 'done',
          (cause) => wordsOf(cause).slice(0, 80),
        );
        answers[word] = (answers[word] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, give));
    return answers;
  },
  write: async ({ name, state }) => plain(await findEndpoint(name).set(state)),
  read: async ({ name, cluster }) => plain(findEndpoint(name).stateOf(cluster)),
  await: async ({ name, cluster, attribute, value, withinMs = 60_000 }) => {
    const wanted = JSON.stringify(value);
    const is = () => JSON.stringify(plain(findEndpoint(name).maybeStateOf(cluster)?.[attribute])) === wanted;
    try {
      await until(() => (is() ? true : undefined), withinMs);
    } catch (cause) {
      const now = JSON.stringify(plain(findEndpoint(name).maybeStateOf(cluster)?.[attribute]));
      throw new Error(`${name} ${cluster}.${attribute} is ${now}, not ${wanted}`, { cause });
    }
    return true;
  },
  // One on its way out still has its number: the library refuses another with that number, and never asks again.
  count: async ({ count, withinMs = 60_000 }) =>
    until(() => (aggregated().length === count && allParts().length === count ? true : undefined), withinMs),
  /** The name that the bridge has given itself. */
  label: async () => peer().stateOf('basicInformation').nodeLabel,
  /** A request to the hub, from where the app is. */
  hub: async ({ method, url, token, body }) => {
    const answer = await fetch(url, {
      method,
      headers: { ...(token && { Authorization: `Bearer ${token}` }), 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? null : JSON.parse(text) };
  },
  /** Shares the device: the result is a code for another app. */
  open_window: async ({ discriminator = 3333 } = {}) => {
    const crypto = node.env.get(Crypto);
    const passcode = PaseClient.generateRandomPasscode(crypto);
    const parameters = { iterations: 1_000, salt: crypto.randomBytes(32) };
    const pakePasscodeVerifier = await PaseClient.generatePakePasscodeVerifier(crypto, passcode, parameters);
    const wanted = { commissioningTimeout: 180, pakePasscodeVerifier, discriminator, ...parameters };
    await peer().commandsOf('administratorCommissioning').openCommissioningWindow(wanted);
    return ManualPairingCodeCodec.encode({ discriminator, passcode });
  },
  leave: async () => plain(await peer().decommission()),
};
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const wordsOf = (cause) =>
  [
    cause?.message ?? String(cause),
    ...(cause?.errors ?? []).map(wordsOf),
    ...(cause?.cause ? [wordsOf(cause.cause)] : []),
  ].join(': ');

process.on('unhandledRejection', (cause) => process.stderr.write(`unhandled ${wordsOf(cause)}\n`));
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, ...args } = JSON.parse(line);
  if (call === 'stop') break;
  calls[call](args).then(
    (result) => say({ id, result: result ?? null }),
    (cause) => say({ id, error: [wordsOf(cause), ...(call === 'pair' ? steps : [])].join('\n') }),
  );
}
await node.close();
process.exit();
