import type { StartTimer } from '#base/time/timer.ts';
import type { InstancePorts, Ports } from '#integrations/ports.ts';

/**
 * The same ways to strangers, for one instance or set-up: `note` is called right before it deals with what came. Timers and
 * the clock are among them: what a stranger sent may wait for a timer, and long work asks for the time in each turn.
 */
export function noteFor<
  Given extends Pick<Ports, 'http' | 'openWebSocket' | 'openTcp' | 'mqtt' | 'startTimer' | 'clock'>,
>(ports: Given, note: () => void): Given {
  const { clock, http, openWebSocket, openTcp, mqtt } = ports;
  const startTimer: StartTimer = (ms, run) => ports.startTimer(ms, noting(note, run));
  return {
    ...ports,
    startTimer,
    clock: {
      ...clock,
      monotonicMs: () => {
        note();
        return clock.monotonicMs();
      },
    },
    http: {
      request: async (request) => {
        const answer = await http.request(request);
        note();
        return answer;
      },
      events: async function* (...asked) {
        for await (const event of http.events(...asked)) {
          note();
          yield event;
        }
      },
    },
    openWebSocket: (options) => openWebSocket({ ...options, onMessage: noting(note, options.onMessage) }),
    openTcp: (options) => openTcp({ ...options, onData: noting(note, options.onData) }),
    mqtt: (id) => {
      const link = mqtt(id);
      return {
        ...link,
        run: (listener, signal) => link.run({ ...listener, onMessage: noting(note, listener.onMessage) }, signal),
      };
    },
  };
}

/** The same for what only an instance has. */
export function noteCalls(
  { awaitCalls, joinProgram }: Pick<InstancePorts, 'awaitCalls' | 'joinProgram'>,
  note: () => void,
): Pick<InstancePorts, 'awaitCalls' | 'joinProgram'> {
  return {
    awaitCalls: (mac, take, signal) =>
      awaitCalls(
        mac,
        (call) => {
          note();
          take({ ...call, listen: (onMessage) => call.listen(noting(note, onMessage)) });
        },
        signal,
      ),
    joinProgram: (program, part) => joinProgram(program, { ...part, onMessage: noting(note, part.onMessage) }),
  };
}

function noting<Given extends readonly unknown[]>(note: () => void, take: (...given: Given) => void) {
  return (...given: Given): void => {
    note();
    take(...given);
  };
}
