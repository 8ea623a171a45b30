// A simulated Philips Hue bridge: HTTPS with a self-signed certificate, link button, CLIP v2, event stream.
//   node simulated-bridge.mjs CERTIFICATES [--batch 20] [--latency 0] [--lamps 20] [--port 443] [--address 127.0.0.1]
// Prints its two ports as JSON once it listens. The second takes POST /<what happens in the house>.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { addHall, BRIDGE_ID, device, light, lightsOf, MAC, R, ref } from './bridge-resources.mjs';

const text = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const arg = (name, fallback) => Number(text(name, fallback));
const ADDRESS = text('address', '127.0.0.1');
const [BATCH, LATENCY] = [arg('batch', 20), arg('latency', 0)];
const certificate = (name) => {
  const read = (what) => readFileSync(join(process.argv[2], `${name}.${what}.pem`));
  return { key: read('key'), cert: read('cert') };
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const iso = () => `${new Date().toISOString().slice(0, 19)}Z`;
addHall(arg('lamps', 0));

// ---- events ----
const streams = new Set(),
  queue = [];
let seq = 0,
  flush = null;
function emit(type, data) {
  queue.push({ creationtime: iso(), data: [data], id: randomUUID(), type });
  flush ??= setTimeout(() => {
    // a real bridge gathers for about a second
    flush = null;
    const joined = [];
    for (const e of queue.splice(0)) {
      const p = joined.at(-1);
      if (p && p.type === e.type) p.data.push(...e.data);
      else joined.push(e);
    }
    const text = `id: ${Math.floor(Date.now() / 1000)}:${seq++}\ndata: ${JSON.stringify(joined)}\n\n`;
    if (!fault.isMute) for (const s of streams) s.write(text);
  }, BATCH);
}
const changed = (r, ch) =>
  emit('update', {
    id: r.id,
    ...(r.id_v1 ? { id_v1: r.id_v1 } : {}),
    ...ch,
    ...(r.owner ? { owner: r.owner } : {}),
    type: r.type,
    ...(r.type === 'light' ? { service_id: 0 } : {}),
  });
const deep = (d, s) => {
  for (const [k, v] of Object.entries(s))
    if (v && typeof v === 'object' && !Array.isArray(v) && d[k] && typeof d[k] === 'object') deep(d[k], v);
    else d[k] = v;
};
function patch(r, ch) {
  deep(r, ch);
  changed(r, ch);
}
function regroup() {
  for (const g of R.values()) {
    if (g.type !== 'grouped_light') continue;
    const ls = lightsOf(R.get(g.owner.rid)),
      on = ls.some((l) => l.on.on),
      lit = ls.filter((l) => l.on.on && l.dimming),
      b = lit.length ? +(lit.reduce((a, l) => a + l.dimming.brightness, 0) / lit.length).toFixed(2) : 0;
    const ch = {};
    if (g.on.on !== on) ch.on = { on };
    if (g.dimming.brightness !== b) ch.dimming = { brightness: b };
    if (Object.keys(ch).length) patch(g, ch);
  }
}
class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}
const reachable = (l) =>
  R.get(R.get(l.owner.rid).services.find((s) => s.rtype === 'zigbee_connectivity').rid).status === 'connected';

// returns the remarks that a 207 carries
function setLight(l, b) {
  const ch = {},
    remarks = [];
  const known = new Set([
    'on',
    'dimming',
    'dimming_delta',
    'color_temperature',
    'color_temperature_delta',
    'color',
    'dynamics',
    'alert',
    'effects',
    'effects_v2',
    'timed_effects',
    'gradient',
    'signaling',
    'powerup',
    'metadata',
    'identify',
  ]);
  for (const k of Object.keys(b)) if (!known.has(k)) throw new Refused(400, `Unrecognized JSON path .${k}`);
  if (b.on) {
    if (typeof b.on.on !== 'boolean') throw new Refused(400, 'Invalid value for .on.on');
    if (l.on.on !== b.on.on) ch.on = { on: b.on.on };
  }
  const lit = b.on ? b.on.on : l.on.on;
  if (b.dimming && l.dimming) {
    const v = b.dimming.brightness;
    if (!(v >= 0 && v <= 100)) throw new Refused(400, 'Invalid value for .dimming.brightness');
    ch.dimming = { brightness: Math.max(v, 0.39) };
    if (!lit) remarks.push(`device (light) ${l.id} is "soft off", command (.dimming.brightness) may not have effect`);
  }
  for (const k of ['color', 'color_temperature']) {
    if (b[k] && l[k] && !lit)
      remarks.push(`device (light) ${l.id} is "soft off", command (.${k}.${Object.keys(b[k])[0]}) may not have effect`);
  }
  if (b.dimming_delta && l.dimming) {
    const d = b.dimming_delta.brightness_delta || 0;
    ch.dimming = {
      brightness: Math.min(100, Math.max(0.39, l.dimming.brightness + (b.dimming_delta.action === 'down' ? -d : d))),
    };
  }
  if (b.color_temperature?.mirek && l.color_temperature) {
    const m = b.color_temperature.mirek,
      s = l.color_temperature.mirek_schema;
    if (m < 153 || m > 500) throw new Refused(400, 'Invalid value for .color_temperature.mirek');
    ch.color_temperature = { mirek: Math.min(s.mirek_maximum, Math.max(s.mirek_minimum, m)), mirek_valid: true };
    if (l.color) ch.color = { xy: { x: 0.4573, y: 0.41 } };
  }
  if (b.color?.xy && l.color) {
    ch.color = { xy: b.color.xy };
    if (l.color_temperature) ch.color_temperature = { mirek: null, mirek_valid: false };
  }
  for (const k of ['effects', 'timed_effects'])
    if (b[k] && l[k]) ch[k] = { status: b[k].effect, status_values: l[k].status_values };
  if (b.effects_v2 && l.effects_v2)
    ch.effects_v2 = {
      status: { effect: b.effects_v2.action.effect, effect_values: l.effects_v2.status.effect_values },
    };
  if (b.gradient && l.gradient)
    ch.gradient = { points: b.gradient.points, mode: b.gradient.mode || l.gradient.mode, points_capable: 5 };
  if (b.metadata) ch.metadata = { ...l.metadata, ...b.metadata };
  if (!reachable(l))
    return { remarks: [`device (light) ${l.id} has communication issues, command (.on) may not have effect`] };
  if (Object.keys(ch).length) {
    if (!lit && !b.on) delete ch.dimming;
    if (Object.keys(ch).length) patch(l, ch);
  }
  return { remarks };
}

function put(r, b) {
  if (r.type === 'light') {
    const x = setLight(r, b);
    regroup();
    return x;
  }
  if (r.type === 'grouped_light') {
    const remarks = [];
    for (const l of lightsOf(R.get(r.owner.rid))) {
      const { dimming, color, color_temperature, ...rest } = b;
      remarks.push(
        ...setLight(l, {
          ...rest,
          ...(l.dimming && dimming ? { dimming } : {}),
          ...(l.color && color ? { color } : {}),
          ...(l.color_temperature && color_temperature ? { color_temperature } : {}),
        }).remarks,
      );
    }
    regroup();
    return { remarks: remarks.slice(0, 0) };
  }
  if (r.type === 'scene' && b.recall) {
    for (const a of r.actions) setLight(R.get(a.target.rid), a.action);
    for (const s of R.values())
      if (s.type === 'scene' && s.group.rid === r.group.rid && s.id !== r.id && s.status.active !== 'inactive')
        patch(s, { status: { active: 'inactive' } });
    patch(r, {
      status: {
        active: b.recall.action === 'dynamic_palette' ? 'dynamic_palette' : 'static',
        last_recall: new Date().toISOString(),
      },
    });
    regroup();
    return { remarks: [] };
  }
  if (r.type === 'smart_scene' && b.recall) {
    patch(r, { state: b.recall.action === 'activate' ? 'active' : 'inactive' });
    return { remarks: [] };
  }
  if (r.type === 'zigbee_device_discovery') {
    patch(r, { status: 'active' });
    setTimeout(() => patch(r, { status: 'ready' }), 2000);
    return { remarks: [] };
  }
  const { identify: _, ...rest } = b;
  if (Object.keys(rest).length) patch(r, rest);
  return { remarks: [] };
}

// ---- server ----
const PRESET_KEY = 'sim-application-key';
const apps = new Map([[PRESET_KEY, { name: 'preset' }]]);
/** What the test has asked for. `answer`: the next readings are these bytes, or slow. */
const fault = {
  linkUntil: 0,
  busy: { code: 0, count: 0, retryAfter: null },
  answer: null,
  isMute: false,
  bridgeId: BRIDGE_ID,
  model: 'BSB002',
  isOld: false,
};
/** Every request with a body, as `PUT light/… {…}`, with its time. */
const requests = [];
/** Requests with a key since the certificate was changed. */
let keysSeen = 0;
const config = () => ({
  name: 'Hue Bridge',
  swversion: '1970084010',
  apiversion: '1.70.0',
  mac: MAC.match(/../g).join(':'),
  bridgeid: fault.bridgeId.toUpperCase(),
  factorynew: false,
  replacesbridgeid: null,
  modelid: fault.model,
});
const json = (response, code, value) => {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
};

/** The first API of the bridge, of which pairing is still a part. */
function answerOldApi(request, response, { path, body }) {
  const refuse = (type, description) => json(response, 200, [{ error: { type, address: '', description } }]);
  if (request.method === 'POST' && path.length === 1) {
    let asked;
    try {
      asked = JSON.parse(body);
    } catch {
      return refuse(2, 'body contains invalid json');
    }
    if (!asked.devicetype) return refuse(5, 'invalid/missing parameters in body');
    if (Date.now() > fault.linkUntil) return refuse(101, 'link button not pressed');
    const username = randomBytes(30).toString('base64url').slice(0, 40);
    apps.set(username, { name: asked.devicetype });
    return json(response, 200, [{ success: { username } }]);
  }
  return path[1] === 'config' ? json(response, 200, config()) : refuse(1, 'unauthorized user');
}

function openStream(request, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(': hi\n\n');
  streams.add(response);
  request.socket.once('close', () => streams.delete(response));
}

const freed = (response) =>
  new Promise((resolve) => {
    const end = () => resolve(response.off('drain', end).off('close', end));
    response.on('drain', end).on('close', end);
  });

async function answerBadly(response, { text, repeat = 1, slow = false }) {
  response.writeHead(200, { 'content-type': 'application/json' });
  if (slow) {
    response.write('{');
    return;
  }
  const chunk = Buffer.from(text);
  for (let at = 0; at < repeat && !response.destroyed; at += 1) {
    if (!response.write(chunk)) await freed(response);
  }
  response.end();
}

function answerResource(request, response, { path, body }) {
  const [, , , type, id] = path;
  const list = [...R.values()].filter((r) => (!type || r.type === type) && (!id || r.id === id));
  if (id && list.length === 0) return json(response, 404, { errors: [{ description: 'Not Found' }], data: [] });
  try {
    if (request.method === 'GET') return json(response, 200, { errors: [], data: list });
    const change = body ? JSON.parse(body) : {};
    if (request.method === 'PUT' && id) {
      const { remarks } = put(list[0], change);
      return json(response, remarks.length ? 207 : 200, {
        data: [ref(list[0])],
        errors: remarks.map((description) => ({ description })),
      });
    }
    if (request.method === 'DELETE' && type === 'device') {
      house.remove({ name: list[0].metadata.name });
      return json(response, 200, { data: [{ rid: id, rtype: type }], errors: [] });
    }
    throw new Refused(405, 'Method not allowed');
  } catch (error) {
    return json(response, error.status || 500, { errors: [{ description: error.message }], data: [] });
  }
}

async function answer(request, response) {
  const path = new URL(request.url, 'https://x').pathname.split('/').filter(Boolean);
  let body = '';
  for await (const chunk of request) body += chunk;
  if (path[0] === 'api') return answerOldApi(request, response, { path, body });
  if ('hue-application-key' in request.headers) keysSeen += 1;
  if (!apps.has(request.headers['hue-application-key'])) {
    response.writeHead(403, { 'content-type': 'text/html' });
    return response.end('<html>Forbidden</html>');
  }
  if (request.method !== 'GET')
    requests.push({ at: Date.now(), text: `${request.method} ${path.slice(3).join('/')} ${body}`.trim() });
  if (fault.isOld) return json(response, 404, {});
  if (fault.busy.count > 0) {
    fault.busy.count -= 1;
    response.writeHead(fault.busy.code, {
      'content-type': 'text/html',
      ...(fault.busy.retryAfter === null ? {} : { 'retry-after': String(fault.busy.retryAfter) }),
    });
    return response.end('busy');
  }
  if (path[0] === 'eventstream') return openStream(request, response);
  if (LATENCY) await sleep(LATENCY);
  if (fault.answer !== null && request.method === 'GET') return answerBadly(response, fault.answer);
  return answerResource(request, response, { path, body });
}
const bridge = https.createServer(certificate('bridge'), (request, response) => {
  answer(request, response).catch((error) => json(response, 500, { error: String(error) }));
});
let port = 0;
const listen = (server, at, address) =>
  new Promise((resolve) => server.listen(at, address, () => resolve(server.address().port)));

// ---- what happens in the house ----
const find = (name, type, tag) =>
  [...R.values()].find(
    (r) =>
      r.type === type &&
      R.get(r.owner?.rid)?.metadata?.name === name &&
      (tag === undefined || r.metadata?.control_id === tag),
  );
const now = () => new Date().toISOString();
const house = {
  link: () => (fault.linkUntil = Date.now() + 30e3),
  button: ({ name, n = 1, event = 'initial_press', updated = now() }) =>
    patch(find(name, 'button', n), { button: { last_event: event, button_report: { updated, event } } }),
  rotate: ({ name, direction = 'clock_wise', steps = 30, action = 'start' }) => {
    const rotation = { direction, steps, duration: 400 };
    patch(find(name, 'relative_rotary'), {
      relative_rotary: { last_event: { action, rotation }, rotary_report: { updated: now(), action, rotation } },
    });
  },
  motion: ({ name, value }) =>
    patch(find(name, 'motion'), {
      motion: { motion: value, motion_valid: true, motion_report: { changed: now(), motion: value } },
    }),
  contact: ({ name, open }) =>
    patch(find(name, 'contact'), { contact_report: { changed: now(), state: open ? 'no_contact' : 'contact' } }),
  tamper: ({ name, value }) =>
    patch(find(name, 'tamper'), {
      tamper_reports: [{ changed: now(), source: 'battery_door', state: value ? 'tampered' : 'not_tampered' }],
    }),
  temperature: ({ name, value }) =>
    patch(find(name, 'temperature'), {
      temperature: {
        temperature: value,
        temperature_valid: true,
        temperature_report: { changed: now(), temperature: value },
      },
    }),
  light: ({ name, change }) => {
    patch(find(name, 'light'), change);
    regroup();
  },
  rename: ({ name, to }) =>
    patch(
      [...R.values()].find((r) => r.type === 'device' && r.metadata.name === name),
      { metadata: { name: to } },
    ),
  reachable: ({ name, value }) =>
    patch(find(name, 'zigbee_connectivity'), { status: value ? 'connected' : 'connectivity_issue' }),
  /** The lamp is out of reach, and the bridge has not noticed. */
  lose: ({ name }) => (find(name, 'zigbee_connectivity').status = 'connectivity_issue'),
  busy: ({ code = 503, count = 1, retryAfter = null }) => (fault.busy = { code, count, retryAfter }),
  answer: (what) => (fault.answer = what.text === undefined && !what.slow ? null : what),
  says: ({ text, repeat = 1 }) => {
    for (const stream of streams) for (let at = 0; at < repeat; at += 1) stream.write(text);
  },
  mute: ({ value }) => (fault.isMute = value),
  drop: () => {
    for (const stream of streams) stream.destroy();
  },
  revoke: () => {
    apps.clear();
    house.drop();
  },
  grant: ({ key = PRESET_KEY }) => apps.set(key, { name: 'granted' }),
  certificate: ({ name, bridgeId = BRIDGE_ID }) => {
    keysSeen = 0;
    bridge.setSecureContext(certificate(name));
    fault.bridgeId = bridgeId;
    bridge.closeAllConnections();
  },
  model: ({ model = 'BSB002', isOld = false }) => Object.assign(fault, { model, isOld }),
  add: ({ name }) => {
    const added = device([name, 'LWA017', 'Hue white lamp', 'classic_bulb'], [light(name, 'classic_bulb', { dim: 1 })]);
    for (const service of added.services) emit('add', R.get(service.rid));
    emit('add', added);
  },
  remove: ({ name }) => {
    const removed = [...R.values()].find((r) => r.type === 'device' && r.metadata.name === name);
    for (const one of [...removed.services, ref(removed)]) {
      R.delete(one.rid);
      emit('delete', { id: one.rid, type: one.rtype });
    }
  },
  stop: () =>
    new Promise((resolve) => {
      bridge.close(resolve);
      bridge.closeAllConnections();
    }),
  start: () => listen(bridge, port, ADDRESS),
  state: () => ({
    keysSeen,
    streams: streams.size,
    requests,
    apps: [...apps.values()],
    keys: [...apps.keys()],
    resources: [...R.values()],
  }),
};
const control = http.createServer((request, response) => {
  const act = async () => {
    let body = '';
    for await (const chunk of request) body += chunk;
    return house[request.url.slice(1)](body ? JSON.parse(body) : {});
  };
  act().then(
    (result) => json(response, 200, request.url === '/state' ? result : true),
    (error) => json(response, 400, { error: error.message }),
  );
});
port = await listen(bridge, arg('port', 0), ADDRESS);
const controlPort = await listen(control, 0, '127.0.0.1');
process.stdout.write(`${JSON.stringify({ port, controlPort })}\n`);
// The test that started it is gone.
process.stdin.resume().on('end', () => process.exit(0));
