import { wordsOfEnd } from '#integrations/matter-program/program-care.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { FromController } from './controller-message.ts';
import { errors } from '#integrations/matter/words/en.ts';

/** How the program and its home are, for people. */
export type HomeState = ReturnType<typeof createHomeState>;

type Fault = { readonly code: string; readonly message: string };

const LOST: Fault = {
  code: 'MATTER_KEYS_LOST',
  message: errors.MATTER_KEYS_LOST,
};
const NOT_KEPT: Fault = {
  code: 'MATTER_NOT_KEPT',
  message: errors.MATTER_NOT_KEPT,
};

export function createHomeState(sink: Pick<DeviceSink, 'reportStatus'>) {
  let isUp = false;
  let isLost = false;
  let isKept = true;
  const show = (): void => {
    if (!isUp) return;
    sink.reportStatus('connected', isLost ? LOST : isKept ? null : NOT_KEPT);
  };
  const setOff = (fault: Fault): void => {
    isUp = false;
    sink.reportStatus('error', fault);
  };
  return {
    /** A program starts. */
    begin: (): void => {
      isUp = false;
      sink.reportStatus('connecting', null);
    },
    setUp: (): void => {
      isUp = true;
      show();
    },
    setFailed: ({ code, message }: FromController & { readonly type: 'failed' }): void =>
      setOff({
        code: code === 'NODE_FAILED' ? 'MATTER_FAILED' : code,
        message: `${message}. The hub tries again by itself`,
      }),
    setDown: (why: string, isOften: boolean): void =>
      setOff({ code: isOften ? 'MATTER_FAILED' : 'NODE_DOWN', message: wordsOfEnd(why, isOften) }),
    /** The file with the keys was damaged: whether there are devices that now belong to no home. */
    noteLost: (): void => {
      isLost = true;
      show();
    },
    /** Whether what the program must remember is on disk. */
    noteKept: (next: boolean): void => {
      isKept = next;
      show();
    },
    isUp: (): boolean => isUp,
  };
}
