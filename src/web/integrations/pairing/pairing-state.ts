import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PairingChangedData, PairingState as JoiningState } from '#web/client/api.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';

type FoundStep = Exclude<PairingChangedData['pairing']['step'], 'opened' | 'closed'>;
/** A device that was found, and how far its setup is. */
export type JoiningDevice = {
  readonly integration: string;
  readonly externalId: string;
  readonly step: FoundStep;
  /** `false` if its integration does not know the model. */
  readonly isSupported: boolean;
};

/** How far a device is that joins by its code, or why it did not join. */
export type CodeProgress = {
  readonly step: string;
  readonly fault: { readonly code: string; readonly message: string } | null;
};

type PairingState = {
  /** When each open integration closes, in this browser's time. */
  readonly closesMs: ReadonlyMap<string, number>;
  /** The progress of each integration whose devices join by a code, from its last try. */
  readonly codes: ReadonlyMap<string, CodeProgress>;
  /** The newest first. */
  readonly devices: readonly JoiningDevice[];
};

const NOTHING: PairingState = { closesMs: new Map(), codes: new Map(), devices: [] };

/** The progress of pairing of these integrations, also of what began before the page was opened or by another client. */
export function usePairing(integrations: readonly string[]): ReadonlySignal<PairingState> {
  const { client, events } = useHub();
  const state = useSignal(NOTHING);
  /** An event about an integration is newer than an answer that is still on its way. */
  const heard = useRef(new Set<string>());
  useEffect(
    () =>
      events.listen((event) => {
        if (event.type === 'pairing.changed') heard.current.add((event.data as PairingChangedData).integration.id);
        state.value = pairingAfter(state.peek(), event, Date.now());
      }),
    [events, state],
  );
  useEffect(() => {
    const look = async (id: string): Promise<void> => {
      try {
        const shown = await client.call<JoiningState>('GET', `/integration/${encodeURIComponent(id)}/pairing`);
        if (!heard.current.has(id)) state.value = pairingFrom(state.peek(), id, shown);
      } catch (cause) {
        // The events tell of it from here on.
        if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      }
    };
    for (const id of integrations) if (!heard.current.has(id)) void look(id);
  }, [client, state, integrations.join(' ')]);
  // The event that says that it has closed may be lost with the connection.
  useEffect(() => {
    const timer = setInterval(() => {
      const open = [...state.peek().closesMs].filter(([, closesMs]) => closesMs > Date.now());
      if (open.length < state.peek().closesMs.size) state.value = { ...state.peek(), closesMs: new Map(open) };
    }, 1_000);
    return () => clearInterval(timer);
  }, [state]);
  return state;
}

function pairingAfter(state: PairingState, { type, data }: HubEvent, nowMs: number): PairingState {
  if (type !== 'pairing.changed') return state;
  const { integration, pairing } = data as PairingChangedData;
  const { step, external_id: externalId, seconds, detail } = pairing;
  if (step === 'opened' || step === 'closed') {
    const closesMs = new Map(state.closesMs);
    if (step === 'opened') closesMs.set(integration.id, nowMs + (seconds ?? 0) * 1000);
    else closesMs.delete(integration.id);
    const before = state.codes.get(integration.id) ?? null;
    return {
      ...state,
      closesMs,
      codes: codesWith(state, integration.id, step === 'opened' ? SEARCHING : faultIn(before)),
    };
  }
  if (externalId === null) return { ...state, codes: codesWith(state, integration.id, progressOf(detail)) };
  const own: JoiningDevice = {
    integration: integration.id,
    externalId,
    step,
    isSupported: (detail as { readonly supported?: boolean } | null)?.supported !== false,
  };
  const isOwn = (one: JoiningDevice): boolean => one.externalId === externalId && one.integration === integration.id;
  // It keeps its place in the list, so that nothing moves under the finger.
  const devices = state.devices.some(isOwn)
    ? state.devices.map((one) => (isOwn(one) ? own : one))
    : [own, ...state.devices];
  return { ...state, devices };
}

/** Derives the state that the events of an integration would have led to. */
function pairingFrom(before: PairingState, id: string, { remaining_s: seconds, progress }: JoiningState): PairingState {
  const nowMs = Date.now();
  const nothing = { external_id: null, device: null, detail: null };
  const opened = seconds === null ? [] : [{ ...nothing, step: 'opened' as const, seconds }];
  return [...opened, ...progress].reduce(
    (state, pairing) => pairingAfter(state, { type: 'pairing.changed', data: { integration: { id }, pairing } }, nowMs),
    before,
  );
}

const SEARCHING: CodeProgress = { step: 'searching', fault: null };

/** Keeps only the fault of a try once it is over. */
function faultIn(progress: CodeProgress | null): CodeProgress | null {
  return progress?.fault === null ? null : progress;
}

function codesWith({ codes }: PairingState, id: string, progress: CodeProgress | null): PairingState['codes'] {
  const others = [...codes].filter(([one]) => one !== id);
  return new Map(progress === null ? others : [...others, [id, progress]]);
}

type Detail = { readonly step?: string; readonly code?: string; readonly message?: string };

function progressOf(detail: unknown): CodeProgress | null {
  const { step, code, message = '' } = (detail ?? {}) as Detail;
  if (code !== undefined) return { step: 'failed', fault: { code, message } };
  return step === undefined ? null : { step, fault: null };
}
