import { wordsOfEnd } from '#integrations/matter-program/program-care.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { FromController } from './controller-message.ts';

/** How the program and its home are, for people. */
export type HomeState = {
  /** A program starts. */
  readonly begin: () => void;
  readonly setUp: () => void;
  readonly setFailed: (failed: FromController & { readonly type: 'failed' }) => void;
  readonly setDown: (why: string, isOften: boolean) => void;
  /** The file with the keys was damaged: whether there are devices that now belong to no home. */
  readonly noteLost: () => void;
  /** Whether what the program must remember is on disk. */
  readonly noteKept: (isKept: boolean) => void;
  readonly isUp: () => boolean;
};

type Fault = { readonly code: string; readonly message: string };

const LOST: Fault = {
  code: 'MATTER_KEYS_LOST',
  message:
    'The keys of this home are damaged or missing, and its devices obey the hub no more. Reset each device, and add it again',
};
const NOT_KEPT: Fault = {
  code: 'MATTER_NOT_KEPT',
  message: 'The disk does not take what Matter must remember: no device can join, and none can leave',
};

export function createHomeState(sink: Pick<DeviceSink, 'reportStatus'>): HomeState {
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
    begin: () => {
      isUp = false;
      sink.reportStatus('connecting', null);
    },
    setUp: () => {
      isUp = true;
      show();
    },
    setFailed: ({ code, message }) =>
      setOff({
        code: code === 'NODE_FAILED' ? 'MATTER_FAILED' : code,
        message: `${message}. The hub tries again by itself`,
      }),
    setDown: (why, isOften) =>
      setOff({ code: isOften ? 'MATTER_FAILED' : 'NODE_DOWN', message: wordsOfEnd(why, isOften) }),
    noteLost: () => {
      isLost = true;
      show();
    },
    noteKept: (next) => {
      isKept = next;
      show();
    },
    isUp: () => isUp,
  };
}
