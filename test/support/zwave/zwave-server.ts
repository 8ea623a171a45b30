import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';

/*
 * A strict stand-in for a Z-Wave JS server. The state is what the real one sent for the mock network beside this file,
 * and the order of answers and events is as it was seen there. It throws for what the real one would refuse as unknown.
 */

export const HOME_ID = 2_119_630_914;
export const NETWORK_ID = '7e570042';
export const SWITCH = '2-0086-0003-0060';

type ServerNode = { [name: string]: JsonValue } & { nodeId: number; values: readonly ServerValue[] };
type ServerValue = JsonObject & { readonly commandClass: number; readonly endpoint: number };

const TEXT = readFileSync(join(import.meta.dirname, '../../fixtures/zwave/network.json'), 'utf8');

export function recordedNodes(): ServerNode[] {
  return (JSON.parse(TEXT) as { nodes: ServerNode[] }).nodes;
}

/** What shows the result of a written value. */
const SHOWN: Readonly<Record<string, string>> = {
  '37/targetValue': 'currentValue',
  '38/targetValue': 'currentValue',
  '51/targetColor': 'currentColor',
  '98/targetMode': 'currentMode',
};
/** Of these the driver shows what it sent before the node has said anything. */
const BELIEVED = new Set(['37/targetValue', '38/targetValue', '51/targetColor', '98/targetMode']);

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export type ZwaveServer = Awaited<ReturnType<typeof startZwaveServer>>;

export async function startZwaveServer({ schemas = [0, 50] }: { schemas?: readonly [number, number] } = {}) {
  let nodes = recordedNodes();
  let homeId = HOME_ID;
  /** What `set_value` answers; `null` is no answer at all. */
  let status: number | null = 255;
  let isMute = false;
  let server: WebSocketServer | undefined;
  const port = await findFreePort();
  let last: JsonValue = null;
  const wire: JsonObject[] = [];
  const asked: string[] = [];
  const listening = new Set<WebSocket>();

  const says = (event: JsonObject, to: Iterable<WebSocket> = listening): void => {
    for (const client of to) if (!isMute) client.send(JSON.stringify({ type: 'event', event }));
  };
  const findNode = (nodeId: JsonValue | undefined): ServerNode | undefined =>
    nodes.find((node) => node.nodeId === nodeId);
  const findValue = (node: ServerNode, id: JsonObject): ServerValue | undefined =>
    node.values.find(
      (value) =>
        value.commandClass === id['commandClass'] &&
        value.endpoint === (id['endpoint'] ?? 0) &&
        value['property'] === id['property'] &&
        value['propertyKey'] === id['propertyKey'],
    );
  const keep = (nodeId: number, id: JsonObject, value: JsonValue): JsonValue => {
    const node = findNode(nodeId);
    const old = node === undefined ? undefined : findValue(node, id);
    if (node === undefined || old === undefined) throw new Error(`no such value ${JSON.stringify(id)}`);
    const before = old['value'] ?? null;
    const next = isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value;
    nodes = nodes.map((one) =>
      one === node
        ? { ...node, values: node.values.map((each) => (each === old ? { ...old, value: next } : each)) }
        : one,
    );
    return before;
  };
  /** A report of a value, from the node itself or of what the driver believes. */
  const report = (nodeId: number, id: JsonObject, value: JsonValue): void => {
    const prevValue = keep(nodeId, id, value);
    const newValue = findValue(findNode(nodeId) ?? { nodeId, values: [] }, id)?.['value'] ?? null;
    const args = {
      commandClassName: 'Any',
      endpoint: 0,
      ...id,
      newValue,
      prevValue,
      propertyName: textOf(id['property']),
    };
    last = value;
    says({ source: 'node', event: 'value updated', nodeId, args });
  };
  const setValue = (nodeId: number, message: JsonObject): JsonObject | undefined => {
    const id = message['valueId'];
    const node = findNode(nodeId);
    const value = isJsonObject(id) && node !== undefined ? findValue(node, id) : undefined;
    const metadata = value?.['metadata'];
    if (!isJsonObject(id) || !isJsonObject(metadata) || metadata['writeable'] !== true) {
      throw new Error(`nobody can write ${JSON.stringify(message)}`);
    }
    wire.push(message);
    if (status === null) return undefined;
    const wanted = message['value'] ?? null;
    const place = `${Number(id['commandClass'])}/${textOf(id['property'])}`;
    const shown = SHOWN[place];
    if (status === 254 || status === 255) {
      report(nodeId, id, wanted);
      const isBelieved = status === 255 || BELIEVED.has(place);
      if (shown !== undefined && isBelieved && !(wanted === 255 && place === '38/targetValue'))
        report(nodeId, { ...id, property: shown }, wanted);
    }
    return { result: { status } };
  };
  /** The real one is asked for the parts of a color only. */
  const pollColor = (node: ServerNode | undefined, { propertyKey, ...id }: JsonObject): JsonObject => {
    const color = node === undefined ? undefined : findValue(node, id)?.['value'];
    const name = ['warmWhite', 'coldWhite', 'red', 'green', 'blue'][Number(propertyKey)];
    if (name === undefined || !isJsonObject(color)) return { errorCode: 'zwave_error' };
    return { value: color[name] ?? null };
  };
  const answer = (message: JsonObject): JsonObject | 'none' | { readonly errorCode: string } => {
    const nodeId = Number(message['nodeId']);
    switch (message['command']) {
      case 'node.set_value':
        return setValue(nodeId, message) ?? 'none';
      case 'node.poll_value': {
        const node = findNode(nodeId);
        const id = message['valueId'];
        if (isJsonObject(id) && id['commandClass'] === 51) return pollColor(node, id);
        return { value: node === undefined || !isJsonObject(id) ? null : (findValue(node, id)?.['value'] ?? null) };
      }
      case 'node.get_state': {
        const node = findNode(nodeId);
        return node === undefined ? { errorCode: 'node_not_found' } : { state: node };
      }
      case 'node.ping':
        return { responded: findNode(nodeId)?.['status'] !== 3 };
      case 'node.refresh_info':
        return {};
      case 'controller.remove_failed_node':
        if (findNode(nodeId)?.['status'] !== 3) return { errorCode: 'zwave_error' };
        nodes = nodes.filter((node) => node.nodeId !== nodeId);
        return {};
      default:
        throw new Error(`no such command: ${JSON.stringify(message)}`);
    }
  };
  const onMessage = (client: WebSocket, text: string): void => {
    const message = JSON.parse(text) as JsonObject;
    const { messageId, command } = message;
    if (isMute) return;
    asked.push(textOf(command));
    const send = (body: JsonObject): void =>
      client.send(JSON.stringify({ type: 'result', messageId: messageId ?? null, ...body }));
    if (command === 'initialize') {
      const schema = Number(message['schemaVersion']);
      if (schema < schemas[0] || schema > schemas[1]) return send({ success: false, errorCode: 'schema_incompatible' });
      return send({ success: true, result: {} });
    }
    if (command === 'start_listening') {
      listening.add(client);
      return send({ success: true, result: { state: { controller: { homeId, ownNodeId: 1 }, driver: {}, nodes } } });
    }
    const result = answer(message);
    if (result === 'none') return;
    if ('errorCode' in result) return send({ success: false, ...result });
    send({ success: true, result });
  };
  const listen = async (): Promise<void> => {
    const own = new WebSocketServer({ host: '127.0.0.1', port });
    server = own;
    own.on('connection', (client) => {
      client.on('error', () => undefined);
      client.on('close', () => listening.delete(client));
      client.on('message', (data: Buffer) => onMessage(client, data.toString('utf8')));
      const [minSchemaVersion, maxSchemaVersion] = schemas;
      const version = { driverVersion: '15.29.0', serverVersion: '3.10.2', minSchemaVersion, maxSchemaVersion };
      if (!isMute) client.send(JSON.stringify({ type: 'version', homeId, ...version }));
    });
    await new Promise((resolve) => void own.once('listening', resolve));
  };
  const unplug = async (): Promise<void> => {
    const own = server;
    server = undefined;
    if (own === undefined) return;
    for (const client of own.clients) client.terminate();
    await new Promise<void>((resolve) => own.close(() => resolve()));
  };
  await listen();
  return {
    host: `127.0.0.1:${port}`,
    wire,
    asked,
    says,
    report,
    lastReported: () => last,
    plug: listen,
    unplug,
    drop: () => {
      for (const client of server?.clients ?? []) client.terminate();
    },
    /** Bytes as they come from nobody who speaks the protocol. */
    saysRaw: (data: string | Uint8Array) => {
      for (const client of listening) client.send(data);
    },
    setStatus: (next: number | null) => {
      status = next;
    },
    setMute: (next: boolean) => {
      isMute = next;
    },
    setHomeId: (next: number) => {
      homeId = next;
    },
    /** Changes a node, as an interview or another program does. */
    setNode: (nodeId: number, change: JsonObject) => {
      nodes = nodes.map((node) => (node.nodeId === nodeId ? { ...node, ...change } : node));
    },
    setNodes: (next: readonly ServerNode[]) => {
      nodes = [...next];
    },
    removeNode: (nodeId: number) => {
      const node = findNode(nodeId);
      nodes = nodes.filter((one) => one !== node);
      says({ source: 'controller', event: 'node removed', node: node ?? { nodeId }, reason: 0 });
    },
    close: unplug,
  };
}
