import { DNS_TYPE, type DnsRecord } from './dns-message.ts';
import type { HubCard, HubRecords } from './hub-records.ts';
import { hubRecords } from './hub-records.ts';
import type { MdnsLink, MdnsLinks } from './mdns-links.ts';
import { conflictRule, type IsConflict } from './name-conflict.ts';

/** The records of the hub under one of its names. */
export type OwnRecords = {
  /** Host name with its zone, as `hearthd.local`. */
  readonly host: string;
  readonly on: (link: MdnsLink) => HubRecords;
  /** Whether there are records of the name with this key. */
  readonly isSpokenOf: (key: string) => boolean;
  readonly isConflict: IsConflict;
  /** From the types of service to the hub's services. */
  readonly pointers: readonly DnsRecord[];
};

type Made = { readonly card: HubCard; readonly links: readonly MdnsLink[]; readonly records: OwnRecords };

/** One name that the hub holds and one that it asks for. */
const MAX_MADE = 2;

/** By the number of the name; kept while card and links stay the same, since each packet is compared with them. */
export function createOwnRecords(
  links: Pick<MdnsLinks, 'all'>,
  card: () => HubCard | undefined,
): (count: number) => OwnRecords | undefined {
  const made = new Map<number, Made>();
  return (count) => {
    const shown = card();
    if (shown === undefined) return undefined;
    const known = made.get(count);
    if (known?.card === shown && known.links === links.all()) return known.records;
    const records = recordsOf(count, shown, links.all());
    made.delete(count);
    for (const older of [...made.keys()].slice(0, made.size + 1 - MAX_MADE)) made.delete(older);
    made.set(count, { card: shown, links: links.all(), records });
    return records;
  };
}

function recordsOf(count: number, card: HubCard, links: readonly MdnsLink[]): OwnRecords {
  const byLink = new Map(links.map((link) => [link, hubRecords(card, count, link.addresses)]));
  const plain = hubRecords(card, count, []);
  const all: readonly DnsRecord[] = [plain, ...byLink.values()].flatMap((records) => records.all);
  const keys = new Set(all.map(({ name }) => name.key));
  return {
    host: plain.host,
    on: (link) => byLink.get(link) ?? plain,
    isSpokenOf: (key) => keys.has(key),
    isConflict: conflictRule(plain.uniqueNames, all),
    pointers: plain.all.filter(({ type }) => type === DNS_TYPE.PTR),
  };
}
