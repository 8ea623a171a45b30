import { useEffect, useRef, useState } from 'preact/hooks';
import type { IntegrationSetup, IntegrationSetupChangedData } from '#web/client/api.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import { type Task, useTask } from '#web/parts/use-task.ts';
import { setupIn, type SetupShown } from '#web/strings/kind-words.ts';
import { problemWords } from '#web/strings/problem-words.ts';

/** One set-up, as this page knows it. */
export type SetupReading = ReturnType<typeof useSetup>;

/** An event may be lost with the connection: look again now and then while the set-up runs by itself. */
const LOOK_MS = 5_000;

/** Follows a set-up. It goes on while the person reads another page. */
export function useSetup(id: string) {
  const { client, events, live, router } = useHub();
  const [setup, setSetup] = useState<SetupShown | null>();
  const [fault, setFault] = useState<string>();
  const path = `/integration_setup/${encodeURIComponent(id)}`;
  /** Counts what came by events: an answer of the hub that was under way meanwhile may be older. */
  const heard = useRef(0);
  const latest = useRef<IntegrationSetup | null | undefined>(undefined);
  const take = (next: IntegrationSetup | null): void => {
    latest.current = next;
    setSetup(next && setupIn(next));
    setFault(undefined);
  };
  const ask = async (load: () => Promise<IntegrationSetup>): Promise<void> => {
    const before = heard.current;
    try {
      const next = await load();
      if (heard.current === before) take(next);
    } catch (cause) {
      if (!isUnknown(cause)) throw cause;
      // If a set-up has just ended, the page has its end by an event.
      if (latest.current?.status !== 'failed') take(null);
    }
  };
  const again = async (): Promise<void> => {
    try {
      await ask(() => client.call<IntegrationSetup>('GET', path));
    } catch (cause) {
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      setFault(problemWords(cause));
    }
  };
  useEffect(() => {
    void again();
    const stop = events.listen(({ type, data }) => {
      if (type !== 'integration_setup.changed') return;
      const { setup: next } = data as IntegrationSetupChangedData;
      if (next.id !== id) return;
      heard.current += 1;
      take(next);
    });
    return stop;
  }, [id]);
  const isConnected = live.isConnected.value;
  useEffect(() => {
    if (isConnected === true && latest.current !== undefined) void again();
  }, [isConnected]);
  const isWorking = setup?.status === 'running' && !/^(?:form|choose|show)$/.test(setup.step?.type ?? '');
  useEffect(() => {
    if (!isWorking) return undefined;
    const timer = setInterval(() => void again(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isWorking]);
  return {
    /** Absent until the hub has answered; `null` once the hub does not know it any more. */
    setup,
    fault,
    again,
    /** Throws what the hub refuses. */
    answer: (answer: Readonly<Record<string, unknown>>): Promise<void> =>
      ask(() => client.call<IntegrationSetup>('POST', path, { answer })),
    /** Throws what the hub refuses, unless it has ended by itself. */
    end: async (): Promise<void> => {
      try {
        await client.call('DELETE', path);
      } catch (cause) {
        if (!isUnknown(cause)) throw cause;
      }
      router.go('/add');
    },
  };
}

function isUnknown(cause: unknown): boolean {
  return cause instanceof HubProblem && cause.status === 404;
}

export type StartSetup = Task<[wanted: { readonly kind: string } | { readonly found: string }]>;

/** The set-ups that were begun here, by their person and what they are of. */
const begun = new Map<string, string>();

/** Goes to the page of a set-up: of the one that the person has left while it runs, or of a new one. */
export function useStartSetup(): StartSetup {
  const { account, client, router } = useHub();
  return useTask(async (wanted) => {
    const key = JSON.stringify([account.me.value?.id, wanted]);
    const left = begun.get(key);
    if (left === undefined || !(await isRunning(client, left))) {
      begun.set(key, (await client.call<IntegrationSetup>('POST', '/integration_setup', wanted)).id);
    }
    router.go(`/settings/integrations/setup/${begun.get(key)}`);
  });
}

async function isRunning(client: HubClient, id: string): Promise<boolean> {
  try {
    return (await client.call<IntegrationSetup>('GET', `/integration_setup/${id}`)).status === 'running';
  } catch (cause) {
    if (isUnknown(cause)) return false;
    throw cause;
  }
}
