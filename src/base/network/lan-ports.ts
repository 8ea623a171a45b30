import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/*
 * How parts of the hub reach other machines of the home. `lan/client` implements these ports for all of them. They
 * connect to the LAN only: a name is resolved once, its addresses are checked, and the connection goes to a checked
 * address. The hub itself, loopback included, is reached only under a host that an owner entered. A public address
 * never is. Failures are HubErrors CONNECTION_FAILED; `faultOf` says why.
 */

export type LanHttp = {
  /** Resolves with every answer, whatever its status. Redirects are not followed. */
  readonly request: (request: HttpRequest) => Promise<HttpAnswer>;
  /**
   * Reads server-sent events, the next ones only once these are taken. Ends when the peer ends the answer or the signal
   * aborts; throws if the connection fails, or the answer is no stream of events (with its status) or passes a limit.
   * `onOpen` is called once the stream is there: what is read afterwards is no older than its first event.
   */
  readonly events: (request: HttpRequest, signal: AbortSignal, onOpen?: () => void) => AsyncIterable<ServerSentEvent>;
};

export type HttpRequest = {
  /** GET if absent. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `http:` or `https:`, without credentials. A link-local address has its zone: `http://[fe80::1%eth0]/`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole answer, 10 s if absent; for a stream until its head. */
  readonly timeoutMs?: number;
  /** The limit of the body, 1 MiB if absent; for a stream, that of each event. */
  readonly maxBytes?: number;
  readonly tls?: TlsTrust;
  /** RFC 7616, answered when the peer asks for it. Such requests to one origin go one after the other. */
  readonly digest?: Credentials;
  readonly signal?: AbortSignal;
};

export type Credentials = { readonly user: string; readonly password: string };

/**
 * Devices in a LAN sign their certificates themselves. `pin` is the SHA-256 fingerprint (hex) that was seen at set-up:
 * any other certificate is refused before a byte of the request is sent. `any` is for the first contact alone. Absent:
 * a public authority must have signed the certificate for the name in the URL.
 */
export type TlsTrust = { readonly pin: string } | 'any';

export type HttpAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The SHA-256 of the peer's certificate as 64 hex digits; `null` without TLS. */
  readonly fingerprint: string | null;
};

export type ServerSentEvent = { readonly id: string; readonly event: string; readonly data: string };

/** Opens a WebSocket (RFC 6455). Rejects with HubError CONNECTION_FAILED. */
export type OpenWebSocket = (options: {
  /** `ws:` or `wss:`, else as in HttpRequest. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  readonly tls?: TlsTrust;
  /** Until it is open, 10 s if absent. */
  readonly timeoutMs?: number;
  /** The limit of one message, 1 MiB if absent; a larger one ends the connection. */
  readonly maxBytes?: number;
  /** Must not throw. Each message has a turn of the event loop of its own. */
  readonly onMessage: (data: string | Uint8Array) => void;
  /** Its abort ends the connection. */
  readonly signal: AbortSignal;
}) => Promise<LanWebSocket>;

export type LanWebSocket = {
  readonly fingerprint: string | null;
  /**
   * Throws HubError CONNECTION_FAILED once the connection has ended, and ends it when the peer is so slow that more than
   * 1 MiB waits for it.
   */
  readonly send: (data: string | Uint8Array) => void;
  /**
   * Resolves once nothing of the connection is left. `code` and `reason` are the peer's (RFC 6455 §7.4), if any. A peer
   * that answers no ping for 30 s has ended too.
   */
  readonly ended: Promise<{ readonly code: number | null; readonly reason: string }>;
  /** With a code and a reason of at most 123 bytes for the peer (RFC 6455 §7.4), or 1000. */
  readonly close: (code?: number, reason?: string) => void;
};

/** A request to speak WebSocket from here on, checked: what follows on its socket is no HTTP. */
export type UpgradeRequest = { readonly incoming: IncomingMessage; readonly socket: Socket; readonly head: Buffer };

/** Takes a WebSocket that a machine of the LAN opens to the hub. `undefined` if it has ended before it was open. */
export type AcceptWebSocket = (
  upgrade: UpgradeRequest,
  options: Pick<Parameters<OpenWebSocket>[0], 'onMessage' | 'signal'> & { readonly maxBytes: number },
) => Promise<LanWebSocket | undefined>;

/** Opens a TCP connection. Rejects with HubError CONNECTION_FAILED. */
export type OpenTcp = (options: {
  /** `host` or `host:port`, an IPv6 address before a port in brackets. */
  readonly host: string;
  readonly defaultPort: number;
  /** Until it is open, 10 s if absent. */
  readonly timeoutMs?: number;
  /** Must not throw. */
  readonly onData: (data: Uint8Array) => void;
  /** Its abort ends the connection. */
  readonly signal: AbortSignal;
}) => Promise<LanTcp>;

export type LanTcp = {
  /** As of LanWebSocket. */
  readonly send: (data: Uint8Array) => void;
  readonly ended: Promise<void>;
  /** Sends what waits, then ends. */
  readonly close: () => void;
};
