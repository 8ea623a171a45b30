// Makes the LED of a Raspberry Pi a lamp of the hub: an example of a script that takes commands.
//
// Set-up, on the computer with the LED, which needs Node.js 20 or later:
//   1. On the page of the hub, make an API token that may "Bring in devices of its own", with the short name "led".
//   2. Write the token into a file that only you can read, for example /etc/led.token.
//   3. HUB=http://hearthd.local TOKEN_FILE=/etc/led.token LED=/sys/class/leds/ACT/brightness node led.mjs
//   4. Let systemd start it: a unit with these as Environment=, this file as ExecStart= and Restart=always.
//
// A script that is silent for lease_s seconds counts as gone; a call that waits for commands is no silence.
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const { HUB = 'http://localhost:8080', TOKEN_FILE = '', LED = '/sys/class/leds/ACT/brightness' } = process.env;
const DEVICE = {
  name: 'Raspberry Pi LED',
  type: 'on_off_light',
  features: [{ key: 'on', capability: 'on', kind: 'state', value_type: 'boolean' }],
};

async function ask(method, path, body) {
  const answer = await fetch(`${HUB}/api/v1/provider/led${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${(await readFile(TOKEN_FILE, 'utf8')).trim()}`,
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  });
  if (!answer.ok) throw Object.assign(new Error(`${method} ${path}: ${answer.status}`), { status: answer.status });
  return answer.status === 204 ? undefined : answer.json();
}

const readLed = async () => ({ on: Number(await readFile(LED, 'utf8')) > 0 });
const report = async () => ask('POST', '/state', { reports: [{ device: 'led', values: await readLed() }] });

/** What was answered for each command: the hub sends one again that it heard nothing of. */
const outcomes = new Map();

async function carryOut({ id, set, deadline }) {
  if (!outcomes.has(id) && Date.parse(deadline) < Date.now()) return;
  if (!outcomes.has(id)) {
    try {
      await writeFile(LED, set.on ? '1' : '0');
      // What the LED says now, not what was asked for: the hub shows nothing as confirmed before.
      outcomes.set(id, { status: 'done', values: await readLed() });
    } catch (error) {
      outcomes.set(id, { status: 'failed', reason: `The LED cannot be switched: ${error.code}.` });
    }
    setTimeout(() => outcomes.delete(id), 60_000).unref();
  }
  try {
    await ask('POST', `/command/${id}`, outcomes.get(id));
  } catch (error) {
    // The hub was restarted and does not know the command any more.
    if (error.status !== 404) throw error;
    await report();
  }
}

for (;;) {
  try {
    await ask('PUT', '', { name: 'LED', lease_s: 60 });
    await ask('PUT', '/device/led', DEVICE);
    await report();
    for (;;) {
      const { commands } = await ask('GET', '/command?wait=25');
      for (const command of commands) await carryOut(command);
      if (commands.length === 0) await report();
    }
  } catch (error) {
    // The hub restarts, or the network is away: begin again.
    process.stderr.write(`the hub cannot be reached: ${error.message}\n`);
    await sleep(5_000);
  }
}
