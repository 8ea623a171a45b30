import type { DeviceSink } from '#integrations/integration.ts';
import type { FromController } from './controller-message.ts';

/** How the program and its home are, for people. */
export type HomeState = {
  /** A program starts. */
  readonly begin: () => void;
  readonly setUp: () => void;
  readonly setFailed: (failed: FromController & { readonly type: 'failed' }) => void;
  /** `isOver`: nothing starts it again before a person does. */
  readonly setDown: (why: string, isOver: boolean) => void;
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
const DOWN: Fault = { code: 'NODE_DOWN', message: 'The Matter program ended and is started again' };
const OVER: Fault = {
  code: 'MATTER_FAILED',
  message: 'The Matter program ended five times soon after its start. Switch Matter off and on to try again',
};

export function createHomeState(sink: Pick<DeviceSink, 'reportStatus'>): HomeState {
  let isUp = false;
  let isLost = false;
  let isKept = true;
  const show = (): void => {
    if (!isUp) return;
    sink.reportStatus('connected', isLost ? LOST : isKept ? null : NOT_KEPT);
  };
  const setOff = (state: 'error' | 'needs_action', fault: Fault): void => {
    isUp = false;
    sink.reportStatus(state, fault);
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
      setOff('error', { code: code === 'NODE_FAILED' ? 'MATTER_FAILED' : code, message }),
    setDown: (why, isOver) =>
      setOff(isOver ? 'needs_action' : 'error', isOver ? OVER : { ...DOWN, message: `${DOWN.message} (${why})` }),
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
