import { HubError } from '#base/hub-error.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { SendEvidence } from '#core/command/command-way.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { Refusal, ToController } from './controller-message.ts';
import type { PlannedAsk } from './live-node.ts';

/** The program was asked these questions and has not answered yet. */
export type Questions = ReturnType<typeof createQuestions>;

type Open = {
  readonly answer: (refusal: Refusal | null) => void;
  readonly fail: () => void;
  readonly stopTimer: () => void;
};

const NO_ANSWER: Refusal = { status: null, message: 'the program does not answer' };

export function createQuestions(send: (message: ToController) => boolean, startTimer: StartTimer) {
  const open = new Map<number, Open>();
  const close = (seq: number): Open | undefined => {
    const closed = open.get(seq);
    open.delete(seq);
    closed?.stopTimer();
    return closed;
  };
  let lastSeq = 0;
  return {
    /**
     * Resolves with its refusal, or `null`; after `withinMs` as one that does not answer. Throws HubError INTEGRATION_DOWN
     * once the program has ended.
     */
    ask: (message: (seq: number) => ToController, withinMs?: number): Promise<Refusal | null> =>
      new Promise((resolve, reject) => {
        lastSeq += 1;
        const seq = lastSeq;
        const fail = (): void => reject(new HubError('INTEGRATION_DOWN', 'The Matter program does not run.'));
        const giveUp = (): void => close(seq)?.answer(NO_ANSWER);
        const stopTimer = withinMs === undefined ? () => undefined : startTimer(withinMs, giveUp);
        open.set(seq, { answer: resolve, fail, stopTimer });
        if (!send(message(seq))) close(seq)?.fail();
      }),
    answer: (seq: number, refusal: Refusal | null): void => close(seq)?.answer(refusal),
    /** The program has ended. */
    stop: (): void => {
      for (const seq of open.keys()) close(seq)?.fail();
    },
  };
}

type CommandDeps = {
  readonly questions: Pick<Questions, 'ask'>;
  readonly sink: Pick<DeviceSink, 'reportCommandAcknowledged' | 'reportCommandFailure'>;
  /** Called when the device has taken it. */
  readonly onTaken: () => void;
  readonly startTimer: StartTimer;
};

/** How long a device may take for an answer before the hub lets the next command go. One that sleeps takes longer. */
const ANSWER_MS = 8_000;

type Planned = { readonly nodeId: string; readonly asks: readonly PlannedAsk[] };

/**
 * Sends a command. The device takes it (`device_ack`), and then reports what it does. A late answer is handed in later.
 */
export async function sendCommand(
  { nodeId, asks }: Planned,
  externalId: string,
  { questions, sink, onTaken, startTimer }: CommandDeps,
): Promise<SendEvidence> {
  const keys = [...new Set(asks.flatMap((planned) => planned.keys))];
  let isLate = false;
  let stopTimer = (): void => undefined;
  const late = new Promise<SendEvidence>((resolve) => {
    stopTimer = startTimer(ANSWER_MS, () => {
      isLate = true;
      resolve('none');
    });
  });
  const list = asks.map(({ ask }) => ask);
  const sent = questions
    .ask((seq) => ({ type: 'ask', seq, nodeId, asks: list }))
    .then((refusal): SendEvidence => {
      if (refusal !== null) throw new HubError('COMMAND_FAILED', wordsOf(refusal));
      onTaken();
      return 'device_ack';
    })
    .finally(() => stopTimer());
  sent.then(
    (evidence) => {
      if (isLate) sink.reportCommandAcknowledged(externalId, keys, evidence);
    },
    (cause: unknown) => {
      if (isLate && cause instanceof HubError) sink.reportCommandFailure(externalId, keys, cause.message);
    },
  );
  return Promise.race([sent, late]);
}

/** People read this for a status of the standard. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [0x7e, 'The device does not let this home do that.'],
  [0x7f, 'The device has no such part.'],
  [0x81, 'The device cannot do this.'],
  [0x86, 'The device cannot do this.'],
  [0x87, 'The device does not take this value.'],
  [0x88, 'The value cannot be set.'],
  [0x9c, 'The device is busy.'],
  [0xcb, 'The device cannot do this now.'],
]);

function wordsOf({ status }: Refusal): string {
  if (status === null) return 'The device does not answer.';
  return STATUSES.get(status) ?? `The device refuses this (${status}).`;
}
