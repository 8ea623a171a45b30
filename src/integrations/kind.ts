import type { JsonObject } from '#base/json.ts';
import type { Discovery, Instance } from '#core/integration/instance.ts';
import type { SettingsOf, SettingsShape } from '#core/integration/settings-shape.ts';
import type { SetupSteps } from '#core/integration/setup-step.ts';
import type { Integration } from './integration.ts';
import type { InstancePorts, MdnsService, SetupPorts, StartedInstance } from './ports.ts';

/**
 * A way to reach devices that the program knows. Its life:
 *
 * 1. The manifest is loaded with the program: `table.ts` lists it, and all others ask it what they need to know of the kind.
 * 2. A thing in the network for which `discovery.identify` answers is shown to people, and `setUp`, or a form of the
 *    `settings`, makes an instance of it.
 * 3. `load` reads the code with the first set-up or run, and `create` gets the checked settings of an instance that is
 *    on, with the ports of one run.
 * 4. `run` connects, tells the sink which devices there are and what they say, and connects again by itself; it fails
 *    for its own bugs alone, and the supervisor then starts the next run after growing delays.
 * 5. Meanwhile `sendCommand` gets what the hub has read for a device right before, and puts it on the wire or throws.
 * 6. A change of the settings, the switch of a person, safe mode or the end of the hub aborts the signal: two seconds
 *    later nothing of the run is left, and its devices are unknown until the next run lists them.
 */
export type IntegrationKind<S extends SettingsShape = SettingsShape> = {
  /** In snake_case. The first instance has it as its id, the next ones `hue-2`. */
  readonly id: string;
  /** The id of the first instance, where it is another. */
  readonly firstId?: string;
  readonly name: string;
  /** One sentence for people who choose. */
  readonly about: string;
  readonly instances: 'one' | 'many';
  readonly settings: S;
  /** Raised with each change of the shape that needs `upgradeSettings`. */
  readonly settingsVersion: number;
  /** From settings that an older version kept. Pure. Throws if they cannot be understood. */
  readonly upgradeSettings?: (old: JsonObject, from: number) => JsonObject;
  /** Whether its instances let new devices join. */
  readonly canPair?: true;
  /** Whether a new device joins by the code that is printed on it. */
  readonly pairsByCode?: true;
  /** Its instance's file in the state folder, for the port `file`. Of a kind with one instance. */
  readonly file?: string;
  /** Whether other homes take in its instances. */
  readonly isBridge?: true;
  /** Whether its instances are MQTT brokers: others, exporters and channels speak through them. */
  readonly isBroker?: true;
  /** Devices that sleep open a WebSocket to the hub, at `/api/v1/<id>/socket`. */
  readonly calls?: {
    /** Who opens it and when, as the documents say it: `a device with a battery opens when it wakes`. */
    readonly about: string;
    /** The member of the first message that names the device, and where its MAC address is in the name. */
    readonly nameIn: string;
    readonly macIn: RegExp;
  };
  /** What a person does at a new device, in a sentence or two, once the search for it runs. */
  readonly pairingHint?: string;
  /**
   * Its devices have keys of this home and obey no other one until those are taken from them: what a removal does about
   * that, for the person who removes it.
   */
  readonly removalHint?: string;
  /** What it takes to use this kind, in steps, for people who have nothing of it yet. */
  readonly help?: readonly string[];
  /**
   * By the values of its setting `may`: the rights of the API token that the hub makes for the commands of an instance,
   * unless its setting `token` names another. Its code gets the id of either as `token`.
   */
  readonly rights?: Readonly<Record<string, readonly InstanceRight[]>>;
  /** Where the set-up asks for the settings: what it does not ask for, and what it proposes in place of defaults. */
  readonly firstForm?: { readonly without: readonly (keyof S)[]; readonly values: Partial<SettingsOf<S>> };
  /** Its instances appear by themselves, when what they stand for calls the API: nobody sets one up. */
  readonly comesByItself?: true;
  readonly discovery?: {
    /** Service types, as `_hue._tcp`. */
    readonly mdns: readonly string[];
    /** `undefined` if the service is none of this kind. Pure; the input is a stranger's. */
    readonly identify: (service: MdnsService) => Discovery<S> | undefined;
  };
  /**
   * Keys of the configuration file that fix settings of the first instance. The option of a secret is the path of a file
   * whose first line is the secret. `enabled` is an option that puts the instance there.
   */
  readonly config?: Readonly<Partial<Record<keyof S | 'enabled', string>>>;
  readonly load: () => Promise<IntegrationCode<S>>;
};

export type InstanceRight = 'device:control' | 'device:control_sensitive';

export type IntegrationCode<S extends SettingsShape = SettingsShape> = {
  /** Settings never change during the life of what it returns, unless it takes them: the frame creates it anew instead. */
  readonly create: (instance: Instance<S>, ports: InstancePorts) => Integration;
  /**
   * The conversation that leads to an instance, read from top to bottom. Its `finally` is the undo of a set-up that is
   * ended from outside: `ports.signal` aborts, and the next `yield` returns. It fails with what it throws: the words of
   * a SetupFailure or HubError are shown, of anything else only that it failed. Absent: a form of the shape is all that
   * it takes.
   */
  readonly setUp?: (discovery: Discovery<S> | undefined, ports: SetupPorts) => SetupSteps<SetupResult<S>>;
};

export type SetupResult<S extends SettingsShape = SettingsShape> = {
  readonly uniqueId: string | null;
  readonly name: string;
  readonly settings: SettingsOf<S>;
  readonly secrets: Readonly<Record<string, string>>;
  /** The rest of the set-up, once the instance is there. One that is new and has no device goes with its failure. */
  readonly goOn?: (started: StartedInstance) => SetupSteps<void>;
};

/** Makes a row of the table of kinds. The frame checks settings against the shape before the code gets them. */
export function defineKind<S extends SettingsShape>(kind: IntegrationKind<S>): IntegrationKind {
  // A kind takes only settings of its own shape; the frame keeps that promise, which the table's type cannot state.
  return kind as unknown as IntegrationKind;
}
