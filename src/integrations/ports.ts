import type { JsonObject } from '#base/json.ts';
import type { LanHttp, LanWebSocket, OpenTcp, OpenWebSocket } from '#base/network/lan-ports.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { CommandRequest } from '#core/command/command-request.ts';
import type { Device } from '#core/device/device.ts';
import type { StatusError } from '#core/integration/integration-status.ts';
import type { PairingProgress } from '#core/integration/pairing.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Room } from '#core/room/room.ts';

/*
 * What an integration may ask of its surroundings. The hub implements these ports; a test replaces them at the same
 * place. Those of the network are in base/network/lan-ports.ts, because other parts of the hub have them too.
 */

export type Ports = Pick<Runtime, 'clock' | 'startTimer' | 'random' | 'log'> & {
  readonly http: LanHttp;
  readonly openWebSocket: OpenWebSocket;
  readonly openTcp: OpenTcp;
  /** The instance that is running or being set up speaks through this other one. */
  readonly mqtt: (link: string) => MqttLink;
};

/** Only an existing instance has these. */
export type InstancePorts = Ports & {
  readonly secrets: {
    /** `null` if none is set. Rejects if its file cannot be read. */
    readonly read: (field: string) => Promise<string | null>;
    /** On disk when it resolves. For what a device gives later, such as a renewed key. */
    readonly write: (field: string, text: string) => Promise<void>;
  };
  /** Something small (at most 64 KiB as JSON) that must survive a restart, as a last event's id. */
  readonly state: {
    readonly load: () => Promise<JsonObject>;
    readonly save: (state: JsonObject) => Promise<void>;
  };
  /** The external ids of the devices that the hub has of this instance. */
  readonly knownDevices: () => readonly string[];
  /** The features of a device of this instance as the hub has them, also from before a restart; none if it has none. */
  readonly knownFeatures: (externalId: string) => readonly Feature[];
  /**
   * Whether a connection that no port opens may go to this IP address: to the hub itself only if an owner or the
   * configuration gave the place.
   */
  readonly mayConnect: (address: string) => boolean;
  /** To be called before bytes of a stranger are read that came by none of these ports: they note it themselves. */
  readonly noteServed: () => void;
  /**
   * Takes the connections that the device with this MAC opens to the hub, until the signal aborts. Strangers leave room
   * for calls from where it is.
   */
  readonly awaitCalls: (
    device: { readonly mac: string; readonly isAt: (peer: string) => boolean },
    take: (call: DeviceCall) => void,
    signal: AbortSignal,
  ) => void;
  /** The whole home, for what offers it elsewhere. */
  readonly home: HomePort;
  /** Takes part in a program of the hub beside it: what needs more memory than the hub may have. */
  readonly joinProgram: JoinProgram;
  /** A file in the state folder, in no backup and of any size: what must not come back with an old backup. */
  readonly file: KeptFile;
  /** Where machines of the LAN reach this one now; without loopback. */
  readonly lanAddresses: () => readonly LanPlace[];
  /** False once the instance is removed or switched off: its run ends and no other follows. */
  readonly isStaying: () => boolean;
  /** Lets the links to this instance speak through its broker until the result is called. For the kind `mqtt`. */
  readonly serveMqtt: (broker: MqttBroker) => () => void;
};

/**
 * A program is one process however many take part in it: it starts with the first of them and ends with the last. If it
 * dies it is started again: within a minute, and from the fifth time in a row within an hour, or as soon as somebody
 * else takes part in it.
 */
export type JoinProgram = <To, From>(program: string, part: ProgramPart<To, From>) => ProgramLife<To>;

export type ProgramPart<To, From> = {
  /** In the program. */
  readonly name: string;
  /** The first message to each process, asked for at its start. */
  readonly begin: () => Promise<To>;
  /** An answer reaches no process but the one that asked. Must not throw. */
  readonly onMessage: (message: From, answer: (message: To) => void) => void;
  /** No process is there until the next start. `isOften`: it ended soon, many times in a row, and that may take an hour. */
  readonly onDown: (why: string, isOften: boolean) => void;
};

export type ProgramLife<To> = {
  /** Takes part until the signal aborts. Rejects if it cannot begin. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** False while it does not run. */
  readonly send: (message: To) => boolean;
  /** This part begins anew, and no other. */
  readonly renew: () => void;
};

/** These cross the channel to a program. The first message to a part begins it. */
export type ToProgram =
  | { readonly part: string; readonly message: unknown }
  | { readonly part: string; readonly isEnd: true }
  /** Is it there? */
  | { readonly isPing: true };

export type FromProgram =
  | { readonly part: string; readonly message: unknown }
  /** The last word of a part that the hub has ended. */
  | { readonly part: string; readonly isEnded: true }
  /** What went wrong and is over, outside of all parts. */
  | { readonly fault: string }
  | { readonly isPong: true };

export type KeptFile = {
  /** `undefined` where there is none. */
  readonly read: () => Promise<string | undefined>;
  /** Old or new content after a power cut, never a part; on disk once resolved. */
  readonly write: (text: string) => Promise<void>;
  /** Keeps a damaged one under another name. */
  readonly setAside: () => Promise<void>;
};

export type LanPlace = {
  /** With its zone if it is link-local. */
  readonly address: string;
  readonly family: 4 | 6;
  readonly interface: string;
  readonly prefix: number;
  /** Subnets where devices of the home are that this interface leads to. */
  readonly beside: readonly string[];
};

/** The home, as others may see and change it through an integration. */
export type HomePort = {
  /** Another one for each hub, the same for ever. */
  readonly hubId: string;
  readonly version: string;
  /**
   * What the devices are: their values may be assumed, so nothing that is shown comes from here. The registry changes devices
   * in place: nobody may keep them.
   */
  readonly devices: () => readonly Device[];
  /** With the values that the device has reported itself. */
  readonly findDevice: (id: string) => Device | undefined;
  readonly findRoom: (id: string) => Pick<Room, 'name'> | undefined;
  /** The kind of the integration with this id. */
  readonly kindOf: (integration: string) => string | undefined;
  /** What identifies the thing behind the integration, as of its set-up. */
  readonly uniqueIdOf: (integration: string) => string | undefined;
  /** What clocks and displays of devices may show. */
  readonly local: () => {
    /** `null` while nobody has set the clock of the hub. */
    readonly nowMs: number | null;
    /** Whether a time server set it, and not a person. */
    readonly isSynced: boolean;
    readonly zone: TimeZone;
    /** Such as `de`; `null` if nobody has chosen one. */
    readonly language: string | null;
  };
  /** The first integration of this kind. */
  readonly integrationOf: (kind: string) => string | undefined;
  /** Until the result is called. */
  readonly follow: (listener: (event: HomeEvent) => void) => () => void;
  /**
   * Asks something of a device with the rights that this API token has now. Throws HubError where the token is gone or
   * may not do it, and where the device cannot.
   */
  readonly command: (apiToken: string, device: Device, asked: AskedElsewhere) => void;
};

export type AskedElsewhere = CommandRequest & { readonly transitionMs?: number; readonly by?: AskedBy };

/** The home of another maker that asks by way of a bridge, under its name. */
type AskedBy = { readonly type: 'matter'; readonly id: string };

/** A WebSocket that a device opened to the hub. Who it is, it has only said. */
export type DeviceCall = {
  /** The address from which it came. */
  readonly peer: string;
  readonly socket: LanWebSocket;
  /** Gets the message in which it said who it is, and those that follow. Must not throw. */
  readonly listen: (onMessage: (text: string) => void) => void;
};

/** A set-up has these. */
export type SetupPorts = Ports & {
  /** Where a machine at this address reaches the hub, as `192.168.1.2:8080`; `null` if nowhere. */
  readonly hubAddressFor: (peer: string) => string | null;
  /** Aborts when a person, the time limit or the end of the hub ends the set-up: no wait may last beyond it. */
  readonly signal: AbortSignal;
};

/** The rest of a set-up uses the instance that it made through these. Their waits end with the set-up. */
export type StartedInstance = {
  /** Throws SetupFailure where it cannot run. */
  readonly connected: () => Promise<void>;
  /**
   * Takes in the device with this code, and tells its steps until it has joined or not. Stops it where nobody reads on.
   * Throws HubError.
   */
  readonly pair: (code: string) => AsyncIterable<Omit<PairingProgress, 'deviceId'>>;
};

/** A service that somebody in the LAN announces over mDNS. Everything in it was said by a stranger. */
export type MdnsService = {
  /** Its instance name, unique for its type: `Hue Bridge - 4B0A12`. */
  readonly name: string;
  /** `_hue._tcp`. */
  readonly type: string;
  readonly host: string;
  readonly port: number;
  /** LAN addresses only, with the zone where a link-local one needs it; the best first. */
  readonly addresses: readonly string[];
  /** Keys in lower case (RFC 6763 §6.4). */
  readonly txt: Readonly<Record<string, string>>;
};

export type MdnsChange =
  | { readonly type: 'found' | 'changed'; readonly service: MdnsService }
  | { readonly type: 'gone'; readonly service: MdnsService };

/** Watches services of a type until the signal aborts. Begins with those that are known. */
export type BrowseMdns = (type: string, onChange: (change: MdnsChange) => void, signal: AbortSignal) => void;

export type MqttMessage = { readonly topic: string; readonly payload: Buffer; readonly retained: boolean };

export type MqttLinkFailure = StatusError;

/** A share of a broker's connection, which other integrations use as well. It queues nothing. */
export type MqttLink = {
  /**
   * Takes part until the signal aborts, then leaves no subscription. `onUp` and `onDown` follow the connection; a late
   * comer gets the present state at once. Messages come for the subscriptions of this share only, the broker's kept
   * ones included, also when another share has subscribed to the same topic before.
   */
  readonly run: (listener: MqttLinkListener, signal: AbortSignal) => Promise<void>;
  /** Filters may have the wildcards `+` and `#`. Subscribed now and after each reconnect. */
  readonly subscribe: (add: readonly string[], remove?: readonly string[]) => void;
  /** Resolves once the broker has it (QoS 1). Throws HubError INTEGRATION_DOWN, while not connected at once. */
  readonly publish: (topic: string, payload: string | Buffer, options?: { readonly retain?: boolean }) => Promise<void>;
  /**
   * Has the broker publish and keep this when the hub is gone without a word. Resolves when the signal aborts, after
   * which the broker does nothing, or when the connection ends, after which it may be held anew. Throws HubError
   * INTEGRATION_DOWN.
   */
  readonly holdWill: (will: MqttWill, signal: AbortSignal) => Promise<void>;
};

export type MqttWill = {
  readonly topic: string;
  readonly payload: string;
  /** The broker has it. */
  readonly onHeld: () => void;
};

export type MqttLinkListener = {
  readonly onUp: () => void;
  readonly onDown: (failure: MqttLinkFailure) => void;
  /** Must not throw. */
  readonly onMessage: (message: MqttMessage) => void;
};

/** The connection to a broker, as the links through it see it. */
export type MqttBroker = { readonly join: (listener: MqttLinkListener) => MqttShare };

export type MqttShare = Pick<MqttLink, 'subscribe' | 'publish' | 'holdWill'> & {
  /** Tells the listener the present state. */
  readonly begin: () => void;
  /** Ends its subscriptions. */
  readonly leave: () => void;
};
