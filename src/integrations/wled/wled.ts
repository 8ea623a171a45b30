import { createOnceLog } from '#base/log.ts';
import type { Discovery, Instance } from '#core/integration/instance.ts';
import type { SetupSteps } from '#core/integration/setup-step.ts';
import type { Integration } from '#integrations/integration.ts';
import type { IntegrationCode, SetupResult } from '#integrations/kind.ts';
import { askForHost } from '#integrations/peer/ask-for-host.ts';
import { createUp, runConnections } from '#integrations/peer/connection-run.ts';
import { commandFailure } from '#integrations/peer/peer-fault.ts';
import { createSendOrder } from '#integrations/peer/send-order.ts';
import type { InstancePorts, SetupPorts } from '#integrations/ports.ts';
import { words } from '#integrations/wled/words/en.ts';
import { mergeChanges } from './payload.ts';
import { createReporting, type Reporting } from './reporting.ts';
import { runSession, type SendChange } from './session.ts';
import { createWire, lightFault } from './wire.ts';
import { WLED_SETTINGS, type WledSettings } from './wled-settings.ts';

export const wledCode = { create: createWled, setUp: setUpWled } satisfies IntegrationCode<WledSettings>;

type Up = { readonly reporting: Reporting; readonly send: SendChange };

/** One light. */
export function createWled(instance: Instance<WledSettings>, ports: InstancePorts): Integration {
  const { startTimer, log } = ports;
  const peer = { light: instance.name };
  const up = createUp<Up>('light');
  return {
    run: (sink, signal) => {
      sink.reportStatus('connecting', null);
      const wire = createWire(instance.settings.host, instance.uniqueId, ports);
      const onFault = (cause: unknown): void => log.warn('the light could not be read again', { ...peer, cause });
      const reporting = createReporting({ sink, wire, startTimer, onFault });
      const unreadable = createOnceLog(log);
      const onUnreadable = (): void => unreadable.tell('the light sent what is no state', peer);
      return runConnections<Up>({
        ports,
        sink,
        signal,
        peer,
        setUp: up.set,
        connect: (onUp, ending) => {
          // A light is small: changes that come while one is sent go as one, the newest values of each.
          const onSession = (send: SendChange): void =>
            onUp({ reporting, send: createSendOrder({ send, merge: mergeChanges }) });
          return runSession({ wire, reporting, onUp: onSession, onUnreadable, startTimer, signal: ending });
        },
        ended: () => lightFault('LIGHT_UNREACHABLE'),
        lost: ['offline', 'unreachable'],
      });
    },
    sendCommand: async (command) => {
      const { reporting, send } = up.get();
      try {
        await send(reporting.changeFor(command));
        return 'device_ack';
      } catch (cause) {
        throw commandFailure(cause);
      }
    },
  };
}

/** Asks a light what it is; asks a person for its address unless it was found. */
async function* setUpWled(
  discovery: Discovery<WledSettings> | undefined,
  ports: SetupPorts,
): SetupSteps<SetupResult<WledSettings>> {
  const { host, reading } = yield* askForHost(
    { foundHost: discovery?.settings.host, fields: WLED_SETTINGS, words, wrong: WRONG_HOSTS },
    (asked) => createWire(asked, discovery?.uniqueId ?? null, ports).readStatus(ports.signal),
  );
  const { mac, name } = reading.info;
  return { uniqueId: mac, name, settings: { host }, secrets: {} };
}

const WRONG_HOSTS = { BAD_ANSWER: 'no_light', LIGHT_BUSY: 'busy', OTHER_LIGHT: 'other_light' } as const;
