import type { Device } from './device.ts';

type Child = Pick<Device, 'id' | 'integration' | 'externalId' | 'parentExternalId'> & {
  parentId?: Device['id'] | null;
};

/**
 * Keeps the parent of each visible device: the bridge that reaches it, or the board that it is a part of. A parent that
 * is not there yet, or not any more, shows as none.
 */
export type ParentLinks<Entry> = {
  /** To call after a device was added or its description changed. Returns the others whose parent changed by it. */
  readonly attach: (entry: Entry) => readonly Entry[];
  /** To call after a device was hidden. Returns the others whose parent changed by it. */
  readonly detach: (entry: Entry) => readonly Entry[];
};

/** A device deeper than this shows no parent. So neither does one in a circle of parents, which has no end. */
const MAX_DEPTH = 8;

export function createParentLinks<Entry extends Child>(
  findExternal: (integration: string, externalId: string) => Entry | undefined,
): ParentLinks<Entry> {
  /** By the identity of the parent, which need not be there. */
  const children = new Map<string, Set<Entry>>();
  const keys = new WeakMap<Entry, string>();

  const parentOf = ({ integration, parentExternalId }: Entry): Entry | undefined =>
    typeof parentExternalId === 'string' ? findExternal(integration, parentExternalId) : undefined;
  const isTooDeep = (entry: Entry): boolean => {
    let depth = 0;
    for (let up = parentOf(entry); up !== undefined; up = parentOf(up)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    }
    return false;
  };
  const unlink = (entry: Entry): void => {
    const key = keys.get(entry);
    if (key === undefined) return;
    keys.delete(entry);
    const siblings = children.get(key);
    siblings?.delete(entry);
    if (siblings?.size === 0) children.delete(key);
  };
  const link = (entry: Entry): void => {
    unlink(entry);
    if (typeof entry.parentExternalId !== 'string') return;
    const key = keyOf(entry.integration, entry.parentExternalId);
    const siblings = children.get(key) ?? new Set();
    children.set(key, siblings.add(entry));
    keys.set(entry, key);
  };
  /** The devices below this one, as deep as its depth matters to them. */
  const below = (entry: Entry): ReadonlySet<Entry> => {
    const found = new Set<Entry>();
    let level: readonly Entry[] = [entry];
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
      const next = level.flatMap((one) => [...(children.get(keyOf(one.integration, one.externalId)) ?? [])]);
      level = next.filter((one) => !found.has(one));
      for (const one of level) found.add(one);
    }
    return found;
  };
  const renew = (entry: Entry): boolean => {
    const parentId = isTooDeep(entry) ? null : (parentOf(entry)?.id ?? null);
    if ((entry.parentId ?? null) === parentId) return false;
    entry.parentId = parentId;
    return true;
  };
  return {
    attach: (entry) => {
      link(entry);
      renew(entry);
      return [...below(entry)].filter((one) => one !== entry && renew(one));
    },
    detach: (entry) => {
      unlink(entry);
      return [...below(entry)].filter((one) => one !== entry && renew(one));
    },
  };
}

function keyOf(integration: string, externalId: string): string {
  return `${integration}\n${externalId}`;
}
