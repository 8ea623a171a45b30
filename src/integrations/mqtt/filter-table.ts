/** Who uses which filters of topics. A message costs what matches its topic, however many filters there are. */
type FilterTable<User> = {
  readonly add: (filter: string, user: User) => void;
  /** True if nobody uses the filter any more. */
  readonly remove: (filter: string, user: User) => boolean;
  readonly filters: () => Iterable<string>;
  /** Each user once, however many of its filters match. */
  readonly usersOf: (topic: string) => readonly User[];
};

/** One level of the filters with wildcards: `a/+/c` is a path of three. */
type Level = { filter: string | undefined; readonly next: Map<string, Level> };

/** Mosquitto ends the connection for more, and for the characters that `WIRE_TEXT` leaves out. */
const MAX_LEVELS = 200;
const MAX_BYTES = 65_535;
const WIRE_TEXT = /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+$/u;

/** Whether a message can be published under it. Any other topic would cost everybody the connection. */
export function isTopic(text: string): boolean {
  return isWireText(text) && !isWildcard(text);
}

/** Whether it can be subscribed: `+` and `#` are whole levels, and `#` is the last (MQTT 3.1.1, section 4.7.1). */
export function isFilter(text: string): boolean {
  return isWireText(text) && /^(?:[^+#/]*|\+)(?:\/(?:[^+#/]*|\+))*(?:(?<=\/)#)?$|^#$/.test(text);
}

export function isWildcard(filter: string): boolean {
  return /[+#]/.test(filter);
}

function isWireText(text: string): boolean {
  if (text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES || !WIRE_TEXT.test(text)) return false;
  let levels = 1;
  for (let at = text.indexOf('/'); at !== -1; at = text.indexOf('/', at + 1)) levels += 1;
  return levels <= MAX_LEVELS;
}

export function createFilterTable<User>(): FilterTable<User> {
  const users = new Map<string, readonly User[]>();
  const wildcards = createWildcards();

  return {
    add: (filter, user) => {
      const present = users.get(filter) ?? [];
      if (present.length === 0 && isWildcard(filter)) wildcards.add(filter);
      users.set(filter, [...present, user]);
    },
    remove: (filter, user) => {
      const left = (users.get(filter) ?? []).filter((other) => other !== user);
      if (left.length > 0) {
        users.set(filter, left);
        return false;
      }
      users.delete(filter);
      if (isWildcard(filter)) wildcards.remove(filter);
      return true;
    },
    filters: () => users.keys(),
    usersOf: (topic) => {
      const exact = users.get(topic) ?? [];
      const filters = wildcards.match(topic);
      if (filters.length === 0) return exact;
      return [...new Set([...exact, ...filters.flatMap((filter) => users.get(filter) ?? [])])];
    },
  };
}

type Wildcards = {
  readonly add: (filter: string) => void;
  readonly remove: (filter: string) => void;
  readonly match: (topic: string) => readonly string[];
};

function createWildcards(): Wildcards {
  const root: Level = { filter: undefined, next: new Map() };

  const removeBelow = (level: Level, [name, ...rest]: readonly string[]): void => {
    const next = name === undefined ? undefined : level.next.get(name);
    if (name === undefined || next === undefined) {
      level.filter = undefined;
      return;
    }
    removeBelow(next, rest);
    if (next.filter === undefined && next.next.size === 0) level.next.delete(name);
  };

  return {
    add: (filter) => {
      let level = root;
      for (const name of filter.split('/')) {
        const next: Level = level.next.get(name) ?? { filter: undefined, next: new Map() };
        level.next.set(name, next);
        level = next;
      }
      level.filter = filter;
    },
    remove: (filter) => removeBelow(root, filter.split('/')),
    match: (topic) => {
      if (root.next.size === 0) return [];
      const found: string[] = [];
      const take = (filter: string | undefined): void => void (filter !== undefined && found.push(filter));
      let reached: readonly Level[] = [root];
      let isFirst = true;
      for (const name of namesOf(topic)) {
        // `#` and `+` at the beginning do not mean the broker's own topics (section 4.7.2).
        const isHidden = isFirst && topic.startsWith('$');
        isFirst = false;
        const further: Level[] = [];
        for (const { next } of reached) {
          const any = isHidden ? undefined : next.get('+');
          const exact = next.get(name);
          if (!isHidden) take(next.get('#')?.filter);
          if (exact !== undefined && exact !== any) further.push(exact);
          if (any !== undefined) further.push(any);
        }
        if (further.length === 0) return found;
        reached = further;
      }
      for (const { filter, next } of reached) {
        take(filter);
        // `a/#` means `a` as well.
        take(next.get('#')?.filter);
      }
      return found;
    },
  };
}

/** One at a time, because a hostile topic has 65,535 levels, of which the first few decide. */
function* namesOf(topic: string): Generator<string> {
  let start = 0;
  for (let end = topic.indexOf('/'); end !== -1; end = topic.indexOf('/', start)) {
    yield topic.slice(start, end);
    start = end + 1;
  }
  yield topic.slice(start);
}
