import { type DnsName, type DnsRecord, DNS_TYPE } from './dns-message.ts';

/** Equal for records with the same name, type and data. */
export function recordKey({ name, type, data }: DnsRecord): string {
  return `${name.key} ${type} ${data.toString('latin1')}`;
}

/** Whether another host has records of a name that only this hub may have, with data that is on none of its links. */
type IsConflict = (said: readonly DnsRecord[]) => boolean;

export function conflictRule(uniqueNames: readonly DnsName[], own: readonly DnsRecord[]): IsConflict {
  const names = new Set(uniqueNames.map(({ key }) => key));
  const ours = new Set(own.map(recordKey));
  return (said) =>
    said.some(
      (record) =>
        record.ttlS > 0 && record.type !== DNS_TYPE.NSEC && names.has(record.name.key) && !ours.has(recordKey(record)),
    );
}

/** If two hosts probe at once, the one whose addresses sort later keeps the name (RFC 6762 section 8.2). */
export function isLater(theirs: readonly DnsRecord[], own: readonly DnsRecord[]): boolean {
  return orderOf(theirs).compare(orderOf(own)) > 0;
}

function orderOf(records: readonly DnsRecord[]): Buffer {
  const addresses = records.filter(({ type }) => type === DNS_TYPE.A || type === DNS_TYPE.AAAA);
  const parts = addresses.map(({ type, data }) => Buffer.concat([Buffer.of(type), data]));
  return Buffer.concat(parts.sort((left, right) => left.compare(right)));
}
