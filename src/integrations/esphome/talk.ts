import type { StartTimer } from '#base/time/timer.ts';
import { type Connection, type ConnectionDeps, openConnection } from './connection.ts';
import { USELESS_LISTED, KIND_OF_LISTED } from '#integrations/esphome/entities/kinds.ts';
import { readListed } from '#integrations/esphome/entities/node-devices.ts';
import type { Listed } from '#integrations/esphome/entities/entity.ts';
import { LIST_SERVICE, readService, type Service } from '#integrations/esphome/entities/services.ts';
import { type NodeInfo, readNodeInfo } from './node-info.ts';
import { nodeFault } from '#integrations/esphome/wire/node-fault.ts';
import {
  bytesOf,
  type Draft,
  type Message,
  putFixed,
  putNumber,
  putText,
} from '#integrations/esphome/wire/protobuf.ts';

/** The questions that a node answers. They throw PeerFault. */
export type Talk = Pick<Connection, 'send' | 'ping' | 'ended' | 'fail'> & {
  readonly info: NodeInfo;
  readonly list: () => Promise<NodeList>;
  /** Gives the node its key. False if it does not take it. */
  readonly setKey: (key: Uint8Array) => Promise<boolean>;
};

/** A node has these entities and services. */
export type NodeList = {
  readonly listed: readonly Listed[];
  readonly services: readonly Service[];
  /** How many entities of which kind have no place in the hub. */
  readonly skipped: ReadonlyMap<string, number>;
};

type TalkDeps = Omit<ConnectionDeps, 'onMessage'> & {
  readonly wallMs: () => number;
  /** Called with each message that answers no question. */
  readonly onMessage: (type: number, message: Message) => void;
};

const HELLO = 1;
const HELLO_ANSWER = 2;
const AUTHENTICATE = 3;
const AUTHENTICATED = 4;
const INFO = 9;
const INFO_ANSWER = 10;
const LIST = 11;
const LIST_DONE = 19;
const TIME = 36;
const TIME_ANSWER = 37;
const SET_KEY = 124;
const SET_KEY_ANSWER = 125;

const MAJOR = 1;
const MINOR = 14;
/** From here on nodes know no password. */
const MINOR_WITHOUT_PASSWORD = 14;
const ANSWER_MS = 10_000;
/** The largest boards have some 200. */
const MAX_ENTITIES = 400;
/** Each takes some 100 bytes. */
const MAX_LIST_BYTES = 512 * 1024;
const MAX_LISTED = 5_000;
/** A clock that was never set tells no node the time. */
const FIRST_MOMENT_MS = Date.UTC(2025, 0, 1);

/** Connects and asks who it is. */
export async function openTalk(deps: TalkDeps): Promise<Talk> {
  const { startTimer, mac, key } = deps;
  let listing: { readonly add: (type: number, message: Message) => void } | undefined;
  const questions = createQuestions(startTimer);
  const connection = await openConnection({
    ...deps,
    onMessage: (type, message, send) => {
      if (questions.answer(type, message)) return;
      if (type === AUTHENTICATED && message.flag(1)) throw nodeFault('PASSWORD_NEEDED');
      if (type === TIME) return tellTime(send, deps.wallMs());
      if (listing === undefined) deps.onMessage(type, message);
      else listing.add(type, message);
    },
  });
  const ask = (question: number, answer: number, draft: Draft = new Map()): Promise<Message> =>
    questions.ask(connection, { question, answer, body: bytesOf(draft) });
  try {
    const hello: Draft = new Map();
    putText(hello, 1, 'hearthd');
    putNumber(hello, 2, MAJOR);
    putNumber(hello, 3, MINOR);
    const said = await ask(HELLO, HELLO_ANSWER, hello);
    if (said.number(1) !== MAJOR) throw nodeFault('BAD_ANSWER');
    // Older nodes answer nothing else before; the password that they have by default is none.
    if (said.number(2) < MINOR_WITHOUT_PASSWORD) connection.send(AUTHENTICATE);
    const info = readNodeInfo(await ask(INFO, INFO_ANSWER), key !== null);
    if (info === undefined) throw nodeFault('BAD_ANSWER');
    if (mac !== null && info.mac !== mac) throw nodeFault('OTHER_NODE');
    if (info.usesPassword) throw nodeFault('PASSWORD_NEEDED');
    return {
      ...connection,
      info,
      list: async () => {
        const collecting = createListing();
        listing = collecting;
        await ask(LIST, LIST_DONE);
        listing = undefined;
        return collecting.done();
      },
      setKey: async (next) => {
        const draft: Draft = new Map();
        // Nodes read it as people write it.
        putText(draft, 1, Buffer.from(next).toString('base64'));
        return (await ask(SET_KEY, SET_KEY_ANSWER, draft)).flag(1);
      },
    };
  } catch (cause) {
    connection.fail(cause);
    throw cause;
  }
}

type Question = { readonly question: number; readonly answer: number; readonly body: Uint8Array };

/** One question at a time. */
function createQuestions(startTimer: StartTimer) {
  let open: { readonly answer: number; readonly resolve: (message: Message) => void } | undefined;
  return {
    /** True if the message is the answer to the open question. */
    answer: (type: number, message: Message): boolean => {
      if (open?.answer !== type) return false;
      const { resolve } = open;
      open = undefined;
      resolve(message);
      return true;
    },
    ask: async ({ send, ended, fail }: Connection, { question, answer, body }: Question): Promise<Message> => {
      const answered = new Promise<Message>((resolve) => (open = { answer, resolve }));
      send(question, body);
      const stop = startTimer(ANSWER_MS, () => fail(nodeFault('NODE_SILENT')));
      const message = await Promise.race([answered, ended]).finally(stop);
      // The connection has ended without a fault: the hub stops.
      if (message === undefined) throw nodeFault('NODE_UNREACHABLE');
      return message;
    },
  };
}

function createListing() {
  const listed: Listed[] = [];
  const services: Service[] = [];
  const skipped = new Map<string, number>();
  let count = 0;
  let bytes = 0;
  const skip = (what: string): void => void skipped.set(what, (skipped.get(what) ?? 0) + 1);
  return {
    add: (type: number, message: Message): void => {
      count += 1;
      if (count > MAX_LISTED) throw nodeFault('BAD_ANSWER');
      const kind = KIND_OF_LISTED.get(type);
      if (listed.length + services.length >= MAX_ENTITIES || bytes + message.size > MAX_LIST_BYTES) {
        return skip('too many');
      }
      bytes += message.size;
      if (kind !== undefined) return void listed.push(readListed(kind, message));
      if (type !== LIST_SERVICE) return skip(USELESS_LISTED.get(type) ?? `type ${type}`);
      const service = readService(message);
      if (service === undefined) skip('action');
      else services.push(service);
    },
    done: (): NodeList => ({ listed, services, skipped }),
  };
}

function tellTime(send: Connection['send'], wallMs: number): void {
  if (wallMs < FIRST_MOMENT_MS) return;
  const draft: Draft = new Map();
  putFixed(draft, 1, Math.floor(wallMs / 1_000));
  send(TIME_ANSWER, bytesOf(draft));
}
