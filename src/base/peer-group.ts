/** One host: its address in lower case, an IPv4-mapped one as IPv4. A link-local address keeps its zone. */
export function peerAddress(address: string): string {
  const lower = address.toLowerCase();
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(lower)?.[1] ?? lower;
}

/**
 * What counts as one peer when turns, connections or tries are shared out: an IPv4 address, or the /64 of an IPv6 one,
 * since a single host there picks addresses as it likes.
 */
export function peerGroup(address: string): string {
  const bare = peerAddress(address).replace(/%.*$/, '');
  if (!bare.includes(':')) return bare;
  const [head = '', tail] = bare.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    groups.push(...Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0'), ...after);
  }
  const prefix = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${prefix.join(':')}::/64`;
}
