import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import { UTF_8 } from '#integrations/home-assistant-discovery/bytes/encoding.ts';
import type { HomePort, MqttMessage } from '#integrations/ports.ts';
import { componentKey, type OfferedHere } from './messages.ts';
import type { Places } from './places.ts';

export type CommandIntake = {
  /** Carries out a command, or refuses it. Never throws for what a message says. */
  readonly take: (message: MqttMessage) => void;
  readonly counts: () => CommandCounts;
};

export type CommandCounts = {
  readonly accepted: number;
  readonly refused: number;
  readonly lastError: { readonly code: string; readonly message: string } | null;
};

export type CommandIntakeDeps = {
  readonly home: Pick<HomePort, 'command' | 'findDevice'>;
  readonly places: Places;
  /** `null`: nobody may command anything from there. */
  readonly apiToken: string | null;
  readonly find: (id: string) => OfferedHere | undefined;
  readonly monotonicMs: () => number;
  readonly log: Log;
};

/** A person drags a slider, a scene switches a floor; more than that is a loop or an attack. */
const RATION = { capacity: 100, refillMs: 50, maxNames: 1 };
const MAX_BYTES = 4_096;

/** Commands that come over MQTT, from whatever may publish there: they have the rights of an API token. */
export function createCommandIntake(deps: CommandIntakeDeps): CommandIntake {
  const { home, places, apiToken, log } = deps;
  const ration = createTokenBuckets({ ...RATION, monotonicMs: deps.monotonicMs });
  let counts: CommandCounts = { accepted: 0, refused: 0, lastError: null };
  /** Faults that the log has, until a command works again: anybody may publish thousands. */
  const logged = new Set<string>();

  const carryOut = ({ topic, payload, retained }: MqttMessage): void => {
    if (retained) throw refusal('RETAINED', 'A command that the broker kept is old: publish commands without retain.');
    if (!ration.take('')) throw refusal('TOO_MANY_COMMANDS', 'More commands came than the hub takes at once.');
    const place = places.readCommandTopic(topic);
    const offered = place && deps.find(place.id);
    const component = offered?.components.find((one) => componentKey(one) === place?.component);
    const read = component?.commands.get(`${place?.setting ?? ''}_topic`);
    const device = offered && home.findDevice(offered.device);
    if (read === undefined || device === undefined) throw refusal('NOT_FOUND', 'Nothing like this is offered.');
    if (apiToken === null) throw refusal('NO_API_TOKEN', 'Choose an API token: commands act with its rights.');
    const text = payload.length > MAX_BYTES ? undefined : UTF_8.decode(payload);
    const asked = text === undefined ? undefined : read(text);
    if (asked === undefined) throw refusal('INVALID_VALUE', 'The command says nothing that the device knows.');
    home.command(apiToken, device, asked);
  };

  return {
    take: (message) => {
      try {
        carryOut(message);
        counts = { ...counts, accepted: counts.accepted + 1, lastError: null };
        logged.clear();
      } catch (cause) {
        const fault = cause instanceof HubError ? cause : cause instanceof Refusal ? cause : undefined;
        if (fault === undefined) log.error('a command over MQTT failed', { cause });
        const { code, message: text } = fault ?? { code: 'INTERNAL_ERROR', message: 'The command failed.' };
        counts = { ...counts, refused: counts.refused + 1, lastError: { code, message: text } };
        log[logged.has(code) ? 'debug' : 'warn']('a command over MQTT is refused', { code, reason: text });
        logged.add(code);
      }
    },
    counts: () => counts,
  };
}

/** Codes that no answer of the API has. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function refusal(code: string, message: string): Refusal {
  return new Refusal(code, message);
}
