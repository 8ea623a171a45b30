import { UTF_8 } from '#integrations/home-assistant-discovery/message/encoding.ts';
import {
  type CommandCounts,
  type CommandDoorDeps,
  createCommandDoor,
  type ReadCommand,
  refusal,
} from '#integrations/offering/command-door.ts';
import type { HomePort, MqttMessage } from '#integrations/ports.ts';
import { componentKey, type OfferedHere } from './messages.ts';
import type { Places } from './places.ts';

export type CommandIntake = {
  /** Carries out a command, or refuses it. Never throws for what a message says. */
  readonly take: (message: MqttMessage) => void;
  readonly counts: () => CommandCounts;
};

type CommandIntakeDeps = Omit<CommandDoorDeps, 'from' | 'home'> & {
  readonly home: Pick<HomePort, 'command' | 'findDevice'>;
  readonly places: Places;
  readonly find: (id: string) => OfferedHere | undefined;
};

const MAX_BYTES = 4_096;

/** Commands that come over MQTT, from whatever may publish there. */
export function createCommandIntake(deps: CommandIntakeDeps): CommandIntake {
  const { home, places } = deps;
  const door = createCommandDoor({ ...deps, from: 'over MQTT' });

  const readCommand = ({ topic, payload, retained }: MqttMessage): ReadCommand => {
    if (retained) throw refusal('RETAINED', 'A command that the broker kept is old: publish commands without retain.');
    const place = places.readCommandTopic(topic);
    const offered = place && deps.find(place.id);
    const component = offered?.components.find((one) => componentKey(one) === place?.component);
    const read = component?.commands.get(`${place?.setting ?? ''}_topic`);
    const device = offered && home.findDevice(offered.device);
    if (read === undefined || device === undefined) throw refusal('NOT_FOUND', 'Nothing like this is offered.');
    const text = payload.length > MAX_BYTES ? undefined : UTF_8.decode(payload);
    return { device, asked: text === undefined ? undefined : read(text) };
  };

  return {
    take: (message) => void door.take(() => readCommand(message)),
    counts: door.counts,
  };
}
