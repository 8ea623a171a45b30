import { HubError, validationFailed } from '#base/hub-error.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { fault as faultAt } from '#integrations/words/kind-words.ts';
import { words } from '#integrations/matter/words/en.ts';
import type { CommissioningFault, FromController, ToController } from './controller-message.ts';
import { readSetupCode, type SetupCode, type SetupCodeFault } from './setup-code.ts';

export type CodePairing = ReturnType<typeof createCodePairing>;

type CodePairingDeps = {
  readonly sink: Pick<DeviceSink, 'reportPairing'>;
  readonly startTimer: StartTimer;
  readonly send: (message: ToController) => void;
};

/** Longer than the program allows: it always says what became of it, unless it hangs. */
export const PAIRING_S = 240;
/** For its answer to the end of that. Before, no other device begins: it would get that answer. */
const LAST_WORD_MS = 15_000;
const NOTHING = { externalId: null, seconds: null, detail: null } as const;

export function createCodePairing({ sink, startTimer, send }: CodePairingDeps) {
  let current: { readonly code: SetupCode; stopTimer: () => void; isLate: boolean } | undefined;
  const close = (): void => {
    current?.stopTimer();
    current = undefined;
    sink.reportPairing({ ...NOTHING, step: 'closed' });
  };
  const fail = (fault: CommissioningFault): void => {
    if (current === undefined) return;
    // Nobody answers to the code of a device that cannot be reached before a phone has brought it into the network.
    const code = fault === 'not_found' && current.code.isOnNetwork === false ? 'no_network' : fault;
    const detail = { code, message: words.faults[code] };
    sink.reportPairing({ ...NOTHING, step: 'interview_failed', detail });
    close();
  };
  const giveUp = (): void => {
    if (current === undefined) return;
    current.isLate = true;
    current.stopTimer = startTimer(LAST_WORD_MS, () => fail('timed_out'));
    send({ type: 'cancel' });
  };
  return {
    /** Throws HubError VALIDATION_FAILED for what is no code, and NOT_SUPPORTED while another device joins. */
    begin: (text: string): void => {
      const code = readSetupCode(text);
      if (typeof code === 'string') throw validationFailed([faultAt(words.faults, code, '/code')]);
      if (current !== undefined) {
        throw new HubError('NOT_SUPPORTED', 'Another device is joining. Wait for it, or stop it.');
      }
      current = { code, stopTimer: startTimer(PAIRING_S * 1_000, giveUp), isLate: false };
      sink.reportPairing({ ...NOTHING, step: 'opened', seconds: PAIRING_S });
      send({ type: 'commission', code });
    },
    cancel: (): void => {
      if (current !== undefined) send({ type: 'cancel' });
    },
    take: (message: FromController & { readonly type: 'commissioning' | 'not_commissioned' }): void => {
      if (message.type === 'not_commissioned') return fail(current?.isLate === true ? 'timed_out' : message.fault);
      if (current === undefined || message.step === 'searching') return undefined;
      const step = message.step === 'found' ? 'device_found' : 'interview_started';
      return sink.reportPairing({ ...NOTHING, step, detail: { step: message.step } });
    },
    joined: (externalId: string): void => {
      sink.reportPairing({ ...NOTHING, step: 'interview_done', externalId });
      if (current !== undefined) close();
    },
    /** The program has ended with it. */
    stop: (): void => fail('failed'),
  };
}

/** Finds the fault of a text that is no code; `undefined` for a code. */
export function codeFaultOf(text: string): SetupCodeFault | undefined {
  const code = readSetupCode(text);
  return typeof code === 'string' ? code : undefined;
}
