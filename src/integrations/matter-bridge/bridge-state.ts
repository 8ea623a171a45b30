import { HubError } from '#base/hub-error.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { BridgeCodes, BridgeFabric, BridgeReport } from '#core/integration/integration-report.ts';
import { wordsOfEnd } from '#integrations/matter-program/program-care.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { errors, words } from '#integrations/matter-bridge/words/en.ts';
import type { Fabric, FromNode, PairingCodes, WindowEnd } from './node-message.ts';

export type BridgeState = ReturnType<typeof createBridgeState>;

type Fault = { readonly code: string; readonly message: string };

const LOST: Fault = {
  code: 'STATE_LOST',
  message: errors.STATE_LOST,
};
const NOT_KEPT: Fault = {
  code: 'STATE_NOT_KEPT',
  message: errors.STATE_NOT_KEPT,
};
const GONE_WITHIN_MS = 5_000;

export function createBridgeState(
  sink: Pick<DeviceSink, 'reportStatus' | 'reportPairing'>,
  monotonicMs: Clock['monotonicMs'],
) {
  let codes: PairingCodes | null = null;
  let closesMs = 0;
  let fabrics: readonly Fabric[] = [];
  let isUp = false;
  const waiting = new Set<() => void>();
  /** A person should know of these faults while the bridge runs; the first of them is shown. */
  const faults = new Map<'lost' | 'kept' | 'endpoint', Fault>();

  const show = (): void => sink.reportStatus('connected', [...faults.values()][0] ?? null);
  const change = (key: 'lost' | 'kept' | 'endpoint', fault: Fault | null): void => {
    if (fault === null) faults.delete(key);
    else faults.set(key, fault);
    if (isUp) show();
  };
  const setWindow = (next: PairingCodes | null, why: WindowEnd | null): void => {
    const wasOpen = codes !== null;
    codes = next;
    closesMs = monotonicMs() + (next?.seconds ?? 0) * 1000;
    if (next === null && !wasOpen && why === null) return;
    sink.reportPairing({
      step: next === null ? 'closed' : 'opened',
      externalId: null,
      seconds: next?.seconds ?? null,
      ...(why === null ? { detail: null } : { detail: words.ends[why], reason: { id: why, with: {} } }),
    });
  };
  const setDown = (fault: Fault): void => {
    isUp = false;
    if (codes !== null) setWindow(null, 'failed');
    sink.reportStatus('error', fault);
  };

  return {
    begin: (): void => {
      isUp = false;
      faults.delete('endpoint');
      sink.reportStatus('connecting', null);
    },
    take: (message: FromNode & { readonly type: 'started' | 'failed' | 'fabrics' | 'window' | 'fault' }): void => {
      switch (message.type) {
        case 'started':
          isUp = true;
          return show();
        case 'failed':
          return setDown({ code: message.code, message: `${message.message}. The hub tries again by itself` });
        case 'window':
          return setWindow(message.codes, message.why);
        case 'fault':
          return change('endpoint', { code: 'NOT_TAKEN', message: message.message });
        case 'fabrics':
          fabrics = message.fabrics;
          for (const look of waiting) look();
          return fabrics.length > 0 ? change('lost', null) : undefined;
        default:
      }
    },
    noteDown: (why: string, isOften: boolean): void =>
      setDown({ code: isOften ? 'NODE_FAILED' : 'NODE_DOWN', message: wordsOfEnd(why, isOften) }),
    /** The file with the homes was damaged. */
    noteLost: (): void => change('lost', LOST),
    /** Whether what the node must remember is on disk. */
    noteKept: (isKept: boolean): void => change('kept', isKept ? null : NOT_KEPT),
    isUp: (): boolean => isUp,
    report: (): BridgeReport => ({
      codes: isUp ? bridgeCodes(codes, closesMs - monotonicMs()) : null,
      fabrics: fabrics.map(bridgeFabric),
    }),
    labelOf: (index: number): string => {
      const found = fabrics.find((one) => one.index === index);
      return bridgeFabric(found ?? { index, label: '', vendorId: 0 }).label;
    },
    /** Resolves once the home has the bridge no more. Throws HubError COMMAND_FAILED if it keeps it. */
    untilGone: (index: number, startTimer: StartTimer): Promise<void> =>
      untilGone(() => !fabrics.some((one) => one.index === index), { waiting, startTimer }),
  };
}

type GoneDeps = { readonly waiting: Set<() => void>; readonly startTimer: StartTimer };

/** Looks each time that the fabrics change. */
function untilGone(isGone: () => boolean, { waiting, startTimer }: GoneDeps): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopTimer = startTimer(GONE_WITHIN_MS, () => {
      waiting.delete(look);
      reject(new HubError('COMMAND_FAILED', 'The bridge did not take the home away.'));
    });
    const look = (): void => {
      if (!isGone()) return;
      stopTimer();
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
    look();
  });
}

function bridgeCodes(codes: PairingCodes | null, leftMs: number): BridgeCodes | null {
  if (codes === null) return null;
  const { manualCode, qr } = codes;
  return { manualCode, qr, remainingS: Math.max(0, Math.ceil(leftMs / 1000)) };
}

/** Makers whose apps take bridges in, by the numbers that the alliance gave them. */
const VENDORS: ReadonlyMap<number, string> = new Map([
  [0x1349, 'Apple Home'],
  [0x1384, 'Apple Keychain'],
  [0x6006, 'Google Home'],
  [0x1217, 'Amazon Alexa'],
  [0x110a, 'SmartThings'],
  [0x134b, 'Home Assistant'],
  [0x115f, 'Aqara Home'],
  [0x118c, 'IKEA Home smart'],
]);
const MOST_LABEL = 32;

/** A fabric for people. What it says of itself, a stranger wrote: it is cut to one short line. */
function bridgeFabric({ index, label, vendorId }: Fabric): BridgeFabric {
  const vendor = VENDORS.get(vendorId) ?? null;
  const said = label
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MOST_LABEL);
  return { id: index, label: said === '' ? (vendor ?? `Home ${index}`) : said, vendor };
}
