import { HubError } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceCommand, SendEvidence } from '#core/command/command-way.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { commandFailure, PeerFault, PeerRefusal } from '#integrations/peer/peer-fault.ts';
import { colorParts } from '#integrations/zwave/mapping/colors.ts';
import type { Sending } from '#integrations/zwave/mapping/source.ts';
import type { Network, Planned } from './network.ts';
import type { Proof, Proofs } from './proofs.ts';
import type { Call } from './talk.ts';
import { heldOf, keyOf, type ValueId } from './zwave-message.ts';

/** Which command was the latest for a feature of a device, as long as anything of it has no outcome. */
export type Latest = Map<string, symbol>;

export type SendDeps = {
  readonly call: Call;
  readonly network: Network;
  readonly proofs: Proofs;
  readonly sink: Pick<DeviceSink, 'reportCommandFailure' | 'reportCommandAcknowledged'>;
  readonly startTimer: StartTimer;
  /** All connections share it, because what one leaves open ends when the next may be there. */
  readonly latest: Latest;
};

/** How long the server may take for an answer before the hub lets the next command go. */
const ANSWER_MS = 8_000;
/** The driver asks slow nodes after 5 s; what is not confirmed 10 s after it was sent counts as unconfirmed. */
const PROVE_MS = 6_500;
/** For a color it asks no node at all. */
const COLOR_MS = 1_000;
const SUCCESS = 255;
const SENT = 254;
const WORKING = 1;
/** The server gives a value that was not written a status, and people read this. */
const REFUSALS = new Map<JsonValue, string>([
  [0, 'The device cannot do this.'],
  [2, 'The device refuses this.'],
  [3, 'The device has no such part.'],
  [4, 'The server cannot do this.'],
  [5, 'The device does not take this value.'],
]);

/** Sends what a command means. Throws HubError if it does not fit, or did not get through. */
export async function sendCommand(command: DeviceCommand, deps: SendDeps): Promise<SendEvidence> {
  const { nodeId, planned } = deps.network.plan(command);
  const { externalId, transitionMs } = command;
  const { isLatest, forget } = follow(planned, externalId, deps.latest);
  const nodeDeps = { ...deps, nodeId, transitionMs: transitionMs ?? 0, isLatest };
  const sendings = planned.map((one) => inTime(one, externalId, nodeDeps));
  void Promise.all(sendings.map(({ ended }) => ended)).then(forget);
  const evidences = await Promise.all(sendings.map(({ evidence }) => evidence));
  for (const weakest of ['none', 'transport_ack'] as const) if (evidences.includes(weakest)) return weakest;
  return 'device_ack';
}

type NodeDeps = SendDeps & { readonly nodeId: number; readonly transitionMs: number };
type TimedDeps = NodeDeps & { readonly isLatest: (key: string) => boolean };

/** An outcome does not name its command: one that comes late counts only if no later command was sent. */
function follow(planned: readonly Planned[], externalId: string, latest: Latest) {
  const own = Symbol(externalId);
  const places = planned.flatMap(({ keys }) => keys).map((key) => `${externalId} ${key}`);
  for (const place of places) latest.set(place, own);
  return {
    isLatest: (key: string): boolean => latest.get(`${externalId} ${key}`) === own,
    forget: (): void => {
      for (const place of places) if (latest.get(place) === own) latest.delete(place);
    },
  };
}

/** Waits for the answer, and hands in later what comes too late: of a node that sleeps, hours may pass. */
function inTime({ sending, keys }: Planned, externalId: string, deps: TimedDeps) {
  const { sink, startTimer, isLatest } = deps;
  let isLate = false;
  let stopTimer = (): void => undefined;
  const late = new Promise<SendEvidence>((resolve) => {
    stopTimer = startTimer(ANSWER_MS, () => {
      isLate = true;
      resolve('none');
    });
  });
  const lateKeys = (): readonly string[] => (isLate ? keys.filter(isLatest) : []);
  const sent = send(sending, deps).finally(() => stopTimer());
  const ended = sent.then(
    (evidence) => {
      const own = lateKeys();
      if (own.length > 0) sink.reportCommandAcknowledged(externalId, own, evidence);
    },
    (cause: unknown) => {
      const own = lateKeys();
      if (own.length > 0 && cause instanceof HubError) sink.reportCommandFailure(externalId, own, cause.message);
    },
  );
  return { evidence: Promise.race([sent, late]), ended };
}

async function send(sending: Sending, deps: NodeDeps): Promise<SendEvidence> {
  const { nodeId } = deps;
  if ('command' in sending) {
    const result = await asked(deps.call(sending.command, { nodeId }));
    if (sending.command !== 'node.ping') return 'device_ack';
    if (result['responded'] === true) return 'device_ack';
    throw new HubError('COMMAND_FAILED', 'The device does not answer.');
  }
  return write(sending, deps);
}

type Write = Exclude<Sending, { readonly command: string }>;

async function write({ id, value, canFade, shownBy }: Write, deps: NodeDeps): Promise<SendEvidence> {
  const { call, network, proofs, nodeId, transitionMs } = deps;
  const { id: shownId, value: shownValue } = shownBy ?? { id, value };
  const proof = proofs.expect(`${nodeId}/${keyOf(shownId)}`, shownValue);
  const isFading = canFade && transitionMs > 0;
  const options = isFading ? { options: { transitionDuration: `${Math.round(transitionMs / 1_000)}s` } } : {};
  try {
    const { result } = await asked(call('node.set_value', { nodeId, valueId: wireOf(id), value, ...options }));
    const status = isJsonObject(result) ? result['status'] : undefined;
    if (status === SUCCESS) {
      proof.settle();
      network.takeProven(nodeId, keyOf(shownId), shownValue);
      return 'device_ack';
    }
    if (status === SENT) {
      const waitMs = colorParts(shownId, shownValue).length > 0 ? COLOR_MS : PROVE_MS;
      proof.isSent(waitMs + (isFading ? transitionMs : 0), () => prove(shownId, shownValue, { ...deps, proof }));
      return 'transport_ack';
    }
    proof.settle();
    // The node has taken it and is at work: the driver says when it is done.
    if (status === WORKING) return 'device_ack';
    throw new HubError('COMMAND_FAILED', REFUSALS.get(status ?? null) ?? 'The server did not do this.');
  } catch (cause) {
    proof.settle();
    throw cause;
  }
}

/** Asks the node itself. Its answer is a report like any other; without one the command stays unconfirmed. */
function prove(id: ValueId, sent: JsonValue, deps: NodeDeps & { readonly proof: Proof }): void {
  const { call, network, nodeId, proof } = deps;
  const poll = (part: ValueId, take: (value: JsonValue) => JsonValue): void => {
    call('node.poll_value', { nodeId, valueId: wireOf(part) }).then(
      ({ value }) => {
        const held = heldOf(value);
        if (held === undefined) return;
        proof.settle();
        network.takeProven(nodeId, keyOf(id), take(held));
      },
      (cause: unknown) => {
        // Only the connection and the node can fail here, and their state says so.
        if (!(cause instanceof PeerFault || cause instanceof PeerRefusal || cause instanceof HubError)) throw cause;
      },
    );
  };
  const parts = colorParts(id, sent);
  if (parts.length === 0) return poll(id, (value) => value);
  for (const [name, part] of parts) poll(part, (value) => ({ [name]: value }));
}

function wireOf(id: ValueId): JsonObject {
  return { ...id };
}

/** A failure in the words of the hub. */
export async function asked(answer: Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await answer;
  } catch (cause) {
    throw commandFailure(cause);
  }
}
