import type { Log } from '#base/log.ts';
import type { WorkTurns, WorkTurnsDeps } from '#base/time/work-turns.ts';

export type Step = () => void | Promise<void>;

/** All messages that wait for devices that are held up may take this. Those that come beyond are dropped. */
const MOST_BYTES = 8_388_608;
const MOST_BYTES_OF_DEVICE = 1_048_576;
const TURN_MS = 5;
const BREAK_MS = 1;

/** A device that is held up, with what waits for it. */
type Line = { readonly steps: { readonly run: Step; readonly bytes: number }[]; bytes: number };

/** Steps of each device in their order: one that has to wait for its template holds up its own device and no other. */
export function createDeviceLines({
  turns,
  startTimer,
  monotonicMs,
  log,
}: Pick<WorkTurnsDeps, 'startTimer' | 'monotonicMs'> & { readonly turns: WorkTurns; readonly log: Log }) {
  const held = new Map<string, Line>();
  let bytesHeld = 0;
  let isStopped = false;
  let isLossLogged = false;

  const run = (externalId: string, step: Step): Promise<void> | undefined => {
    const failed = (cause: unknown): void =>
      log.error('a state could not be read', { device: externalId.slice(0, 200), cause });
    try {
      return step()?.catch(failed);
    } catch (cause) {
      failed(cause);
      return undefined;
    }
  };
  const goOn = (externalId: string, line: Line): void => {
    const startMs = monotonicMs();
    for (;;) {
      const next = isStopped ? undefined : line.steps.shift();
      if (next === undefined) {
        held.delete(externalId);
        return;
      }
      line.bytes -= next.bytes;
      bytesHeld -= next.bytes;
      const waits = run(externalId, next.run);
      if (waits !== undefined) return void waits.then(() => goOn(externalId, line));
      if (monotonicMs() - startMs > TURN_MS) return void startTimer(BREAK_MS, () => goOn(externalId, line));
    }
  };
  /** Counts the bytes that a line holds: each step gives back its own. */
  const hold = (line: Line, step: Step, bytes: number): void => {
    if (bytesHeld + bytes > MOST_BYTES || line.bytes + bytes > MOST_BYTES_OF_DEVICE) {
      if (!isLossLogged) log.warn('states come faster than their templates are rendered: some are dropped');
      isLossLogged = true;
      return;
    }
    line.steps.push({ run: step, bytes });
    line.bytes += bytes;
    bytesHeld += bytes;
  };
  const take = (externalId: string, step: Step, bytes: number): void => {
    const line = held.get(externalId);
    if (line !== undefined) return hold(line, step, bytes);
    const waits = run(externalId, step);
    if (waits === undefined) return;
    const own: Line = { steps: [], bytes: 0 };
    held.set(externalId, own);
    void waits.then(() => goOn(externalId, own));
  };
  return {
    /** The steps for a message of so many bytes. */
    add: (externalId: string, steps: readonly Step[], bytes: number): void => {
      const share = Math.ceil(bytes / steps.length);
      turns.add(steps.map((step) => () => take(externalId, step, share)));
    },
    stop: (): void => {
      isStopped = true;
      held.clear();
    },
  };
}
