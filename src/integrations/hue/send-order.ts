import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';

/** A request to the bridge that changes these lights (or other resources). */
type OrderedRequest = {
  readonly path: string;
  readonly body: JsonObject;
  readonly resourceIds: readonly string[];
};

type SendOrder<Answer> = {
  /**
   * Sends the request after earlier ones to the same lights. If an earlier one on the same path has not begun yet, it
   * takes over the newer values instead, and both have its answer: a slider that is drawn makes one message a turn.
   */
  readonly send: (request: OrderedRequest) => Promise<Answer>;
  /** What has not begun is never sent. */
  readonly endAll: () => void;
};

type Waiting<Answer> = { body: JsonObject; hasBegun: boolean; readonly path: string; readonly done: Promise<Answer> };

/** Keeps requests in order: a group and one of its lights have different turns, and the newest must come last. */
export function createSendOrder<Answer>(
  /** Sends in its turn. Asks for the body when that comes. */
  ask: (path: string, body: () => JsonObject) => Promise<Answer>,
): SendOrder<Answer> {
  /** The last request to each light that has no answer yet. */
  const last = new Map<string, Waiting<Answer>>();
  let generation = 0;

  const begin = ({ path, body, resourceIds }: OrderedRequest): Waiting<Answer> => {
    const earlier = new Set(resourceIds.flatMap((id) => last.get(id)?.done ?? []));
    const own = generation;
    const run = async (): Promise<Answer> => {
      if (earlier.size > 0) await Promise.allSettled(earlier);
      if (own !== generation)
        throw new HubError('INTEGRATION_DOWN', 'The bridge was lost before the command was sent.');
      return ask(path, () => {
        waiting.hasBegun = true;
        return waiting.body;
      });
    };
    // The request begins only in a later turn of the event loop, when this is there.
    const waiting: Waiting<Answer> = { body, hasBegun: false, path, done: Promise.resolve().then(run) };
    for (const id of resourceIds) last.set(id, waiting);
    const forget = (): void => {
      for (const id of resourceIds) if (last.get(id) === waiting) last.delete(id);
    };
    waiting.done.then(forget, forget);
    return waiting;
  };

  return {
    send: (request) => {
      const found = new Set(request.resourceIds.map((id) => last.get(id)));
      const [known] = found;
      const canTakeOver = found.size === 1 && known?.path === request.path && !known.hasBegun;
      if (known === undefined || !canTakeOver) return begin(request).done;
      known.body = { ...known.body, ...request.body };
      return known.done;
    },
    endAll: () => {
      generation += 1;
    },
  };
}
