import type { Command, CommandChangedData } from '#web/client/api.ts';
import { FINAL_STATUSES } from '#web/client/vocabulary.ts';
import type { HubEvent } from '#web/client/event-feed.ts';

export type Ended = Pick<Command, 'status' | 'results'>;

/** Reports how commands ended: by their answer, or by an event that comes after the answer or even before. */
export type CommandEnds = ReturnType<typeof createCommandEnds>;

const OVER: ReadonlySet<string> = new Set(FINAL_STATUSES);
/** Keeps the last ends for answers that are still on their way. */
const KEPT = 100;

export function createCommandEnds() {
  const waiting = new Map<string, ((ended: Ended) => void)[]>();
  const recent = new Map<string, Ended>();
  return {
    await: (answer: Command, onEnd: (ended: Ended) => void): void => {
      const ended = OVER.has(answer.status) ? answer : recent.get(answer.id);
      if (ended === undefined) waiting.set(answer.id, [...(waiting.get(answer.id) ?? []), onEnd]);
      else onEnd(ended);
    },
    takeEvent: ({ type, data }: HubEvent): void => {
      // No event reports what ended during a gap; the snapshot that follows has the values.
      if (type === 'hub.gap') waiting.clear();
      if (type !== 'command.changed') return;
      const { command } = data as CommandChangedData;
      if (!OVER.has(command.status)) return;
      recent.set(command.id, command);
      const [oldest] = recent.keys();
      if (recent.size > KEPT && oldest !== undefined) recent.delete(oldest);
      for (const onEnd of waiting.get(command.id) ?? []) onEnd(command);
      waiting.delete(command.id);
    },
  };
}
