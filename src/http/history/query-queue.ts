import { HubError } from '#base/hub-error.ts';

/** Runs a person's query when it is its turn. Throws HubError OVERLOADED if too many wait already. */
export type QueryQueue = <Result>(person: string, query: () => Promise<Result>) => Promise<Result>;

/** Queries read much, so few run at a time: other calls go on in between. */
const RUNNING = 2;
const WAITING = 8;
const RETRY_AFTER_S = '2';

type Waiting = { readonly person: string; readonly start: () => void; readonly refuse: (cause: HubError) => void };

/** One person's queries take no place from another person, however many they are. */
export function createQueryQueue(): QueryQueue {
  const running: string[] = [];
  const waiting: Waiting[] = [];
  const countOf = (name: string): number => waiting.filter(({ person }) => person === name).length;
  /** Throws HubError OVERLOADED if nobody has more places than this person would have. */
  const makeRoom = (person: string): void => {
    if (waiting.length < WAITING) return;
    const most = Math.max(...waiting.map((one) => countOf(one.person)));
    if (countOf(person) + 1 >= most) throw overloaded();
    const newest = waiting.findLastIndex((one) => countOf(one.person) === most);
    waiting.splice(newest, 1)[0]?.refuse(overloaded());
  };
  const startNext = (): void => {
    const others = waiting.findIndex(({ person }) => !running.includes(person));
    const [next] = waiting.splice(Math.max(0, others), 1);
    if (next === undefined) return;
    running.push(next.person);
    next.start();
  };
  return async (person, query) => {
    if (running.length >= RUNNING) {
      makeRoom(person);
      await new Promise<void>((start, refuse) => void waiting.push({ person, start, refuse }));
    } else running.push(person);
    try {
      return await query();
    } finally {
      running.splice(running.indexOf(person), 1);
      startNext();
    }
  };
}

function overloaded(): HubError {
  return new HubError('OVERLOADED', 'The hub answers as many queries of the past as it can.', {
    headers: { 'Retry-After': RETRY_AFTER_S },
  });
}
