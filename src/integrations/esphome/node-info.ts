import { readName } from '#core/integration/read-name.ts';
import type { Message } from '#integrations/esphome/wire/protobuf.ts';

export type NodeInfo = {
  /** Twelve hex digits in lower case. */
  readonly mac: string;
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string | null;
  readonly firmware: string | null;
  /** It sleeps most of the time, to save its battery. */
  readonly sleeps: boolean;
  readonly usesPassword: boolean;
  /** Without a key so far; the first client that sends one sets it. */
  readonly takesKey: boolean;
  readonly area: string | null;
  readonly parts: readonly NodePart[];
};

/** A device that the owner made out of a part of the node. */
type NodePart = { readonly id: number; readonly name: string; readonly area: string | null };

const MAC = /^[0-9a-f]{12}$/;
const MAX_PARTS = 64;
const MAX_AREAS = 64;

/** `undefined` if it does not say which node it is. */
export function readNodeInfo(message: Message, isSealed: boolean): NodeInfo | undefined {
  const mac = message.text(3).slice(0, 32).replaceAll(':', '').toLowerCase();
  if (!MAC.test(mac)) return undefined;
  const areas = new Map(message.messages(21, MAX_AREAS).map((area) => [area.number(1), readName(area.text(2))]));
  const name = readName(message.text(13)) ?? readName(message.text(2)) ?? 'ESPHome';
  const parts = message.messages(20, MAX_PARTS).map((part, index) => ({
    id: part.number(1),
    name: readName(part.text(2)) ?? `${name} ${index + 1}`,
    area: areas.get(part.number(3)) ?? null,
  }));
  return {
    mac,
    name,
    manufacturer: readName(message.text(12)) ?? 'ESPHome',
    model: readName(message.text(8)) ?? readName(message.text(6)),
    firmware: readName(message.text(4)),
    sleeps: message.flag(7),
    usesPassword: message.flag(1),
    takesKey: !isSealed && message.flag(19),
    area: readName(message.text(16)) ?? readName(message.messages(22, 1)[0]?.text(2)),
    parts: [...new Map(parts.filter(({ id }) => id !== 0).map((part) => [part.id, part])).values()],
  };
}
