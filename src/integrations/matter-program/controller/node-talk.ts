import { Bytes, type ClientNode, type Endpoint, Seconds } from '@matter/main';
import { type ActionContext, LocalActorContext } from '@matter/main/node';
import { Invoke, Read, Write } from '@matter/main/protocol';
import { Status, StatusResponseError } from '@matter/main/types';
import type { Refusal } from '#integrations/matter/controller-message.ts';
import type { MatterAsk, MatterInvoke, MatterWrite } from '#integrations/matter/matter-node.ts';
import { wordsOf } from '#integrations/matter-program/process/hub-channel.ts';
import { clustersOf } from './node-json.ts';
import { type CommandModel, Metatype, type ValueModel } from '@matter/main/model';
import { isJsonObject, type JsonValue } from '#base/json.ts';

/** Sends commands and values to a node, one after the other. `null` once it has taken all of them. */
export async function askNode(node: ClientNode, asks: readonly MatterAsk[]): Promise<Refusal | null> {
  try {
    for (const ask of asks) {
      const carryOut = (context: ActionContext): Promise<void> =>
        'write' in ask ? write(node, ask, context) : invoke(node, ask, context);
      await LocalActorContext.act('ask a device', carryOut, FOUND);
    }
    return null;
  } catch (cause) {
    return { status: cause instanceof StatusResponseError ? cause.code : null, message: wordsOf(cause) };
  }
}

const ANSWER_MS = 10_000;
/** One that has just fallen asleep does not do later what the hub has given up by then. */
const AWAKE = { icdAwaitTimeout: Seconds(10) };
/** Nor does one that is found only then: the library would try for 90 s. */
const FOUND = { connectionTimeout: Seconds(8) };

/** Whether it still is in this home: one that was reset knows nothing of it, and says nothing. */
export async function doesAnswer(node: ClientNode): Promise<boolean> {
  const abort = AbortSignal.timeout(ANSWER_MS);
  const late = new Promise<false>((resolve) => abort.addEventListener('abort', () => resolve(false), { once: true }));
  return Promise.race([late, isRead(node).catch(() => false)]);
}

async function isRead(node: ClientNode): Promise<boolean> {
  const { part, type } = find(node, { endpoint: 0, cluster: 'basicInformation' });
  const request = Read(Read.Attribute({ endpoint: part, cluster: type }));
  // An answer may be empty: the library asks for no more than what has changed since.
  for await (const chunk of node.interaction.read({ ...request, ...AWAKE })) for await (const _ of chunk);
  return true;
}

async function invoke(node: ClientNode, ask: MatterInvoke, context: ActionContext): Promise<void> {
  const { endpoint, cluster, command, fields, timed } = ask;
  const { part, type } = find(node, { endpoint, cluster });
  const model = [...type.schema.commands].find(({ propertyName, isRequest }) => isRequest && propertyName === command);
  // An empty list of fields is none at all.
  const given = Object.keys(fields).length > 0 ? libraryValue(model, fields) : undefined;
  const request = Invoke({ commands: [{ endpoint: part, cluster: type, command, fields: given }], timed });
  for await (const chunk of node.interaction.invoke({ ...request, ...AWAKE }, context)) {
    for (const entry of chunk) {
      if (entry.kind === 'cmd-status' && entry.status !== Status.Success) {
        throw StatusResponseError.create(entry.status, undefined, entry.clusterStatus);
      }
      if (entry.kind === 'cmd-response') checkAnswer(entry.data);
    }
  }
}

/** Past the library's own state, which would show the value before the node has reported it. */
async function write(node: ClientNode, ask: MatterWrite, context: ActionContext): Promise<void> {
  const { endpoint, cluster, write: attribute, value } = ask;
  const { part, type } = find(node, { endpoint, cluster });
  const model = [...type.schema.attributes].find(({ propertyName }) => propertyName === attribute);
  const given = libraryValue(model, value);
  const request = Write({ kind: 'attribute', endpoint: part, cluster: type, attributes: attribute, value: given });
  for (const { status, clusterStatus } of (await node.interaction.write({ ...request, ...AWAKE }, context)) ?? []) {
    if (status !== Status.Success) throw StatusResponseError.create(status, undefined, clusterStatus);
  }
}

function find(node: ClientNode, { endpoint, cluster }: { readonly endpoint: number; readonly cluster: string }) {
  const part: Endpoint | undefined = [...node.endpoints].find((one) => one.number === endpoint);
  const type = part && clustersOf(part).find((one) => one.id === cluster);
  if (part === undefined || type === undefined) {
    throw new StatusResponseError('the device has no such part any more', Status.UnsupportedEndpoint);
  }
  return { part, type };
}

/** Rejects for a task that takes longer, which goes on. */
export async function within(task: unknown, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it does not answer')), ms);
  });
  try {
    await Promise.race([task, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Model = Pick<ValueModel | CommandModel, 'effectiveMetatype' | 'members'> & {
  readonly listEntry?: Model | undefined;
};

/** A value as the library takes it: where the hub has the digits of bytes, it wants the bytes. */
export function libraryValue(model: Model | undefined, value: JsonValue): unknown {
  if (model === undefined) return value;
  if (typeof value === 'string') return model.effectiveMetatype === Metatype.bytes ? Bytes.fromHex(value) : value;
  if (Array.isArray(value)) return value.map((item) => libraryValue(model.listEntry, item as JsonValue));
  if (!isJsonObject(value)) return value;
  const members = new Map([...model.members].map((member) => [member.propertyName, member as Model]));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, libraryValue(members.get(name), one)]));
}

/**
 * A device may take a command and say no in its answer: to a mode that it cannot change to, to a start without water.
 * Throws StatusResponseError for these.
 */
export function checkAnswer(data: unknown): void {
  if (!isJsonObject(data)) return;
  const { status, commandResponseState: state } = data;
  const error = isJsonObject(state) ? state['errorStateId'] : status;
  if (typeof error === 'number' && error !== 0) {
    throw new StatusResponseError(`the device said no (${error})`, Status.InvalidInState);
  }
}
