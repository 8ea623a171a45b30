import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PairingChangedData } from '#web/client/api.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import { useHub } from '#web/hub.ts';

export type FoundStep = Exclude<PairingChangedData['pairing']['step'], 'opened' | 'closed'>;
/** A device that was found, and how far its setup is. */
export type Found = {
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

export type PairingState = {
  /** When each open integration closes, in this browser's time. */
  readonly closesMs: ReadonlyMap<string, number>;
  /** Of each integration whose devices join by a code, from its last try. */
  readonly codes: ReadonlyMap<string, CodeProgress>;
  /** The newest first. */
  readonly found: readonly Found[];
};

const NOTHING: PairingState = { closesMs: new Map(), codes: new Map(), found: [] };

/** The progress of pairing since the page was opened, also of pairing that another client started. */
export function usePairing(): ReadonlySignal<PairingState> {
  const { events } = useHub();
  const state = useSignal(NOTHING);
  useEffect(
    () =>
      events.listen((event) => {
        state.value = pairingAfter(state.peek(), event, Date.now());
      }),
    [events, state],
  );
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
  const own: Found = {
    integration: integration.id,
    externalId,
    step,
    isSupported: (detail as { readonly supported?: boolean } | null)?.supported !== false,
  };
  const isOwn = (one: Found): boolean => one.externalId === externalId && one.integration === integration.id;
  // It keeps its place in the list, so that nothing moves under the finger.
  const found = state.found.some(isOwn) ? state.found.map((one) => (isOwn(one) ? own : one)) : [own, ...state.found];
  return { ...state, found };
}

const SEARCHING: CodeProgress = { step: 'searching', fault: null };

/** What stays of a try once it is over. */
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
