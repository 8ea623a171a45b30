import { useEffect, useRef, useState } from 'preact/hooks';
import type { Device, Match, User } from '#web/client/api.ts';
import { SearchField } from '#web/form/search-field.tsx';
import { useHub } from '#web/hub.ts';
import { matchOf } from '#web/hub/entry-match.ts';
import { pagesFor } from '#web/hub/settings-menu.ts';
import type { IconName } from '#web/icon-lines.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { LinkRow } from '#web/parts/link-row.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { iconOf } from '#web/state/device/device-facts.ts';
import { folded } from '#web/state/device/home-filter.ts';
import { nounOf } from '#web/state/device/main-features.ts';
import { find as findWords } from '#web/strings/en/find.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

type Row = {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  readonly note?: string | undefined;
};
type Section = { readonly title: string; readonly rows: readonly Row[] };
/** `query`: that to which it is the answer. */
type Answer<Item> = {
  readonly query: string;
  readonly items: readonly Item[];
  /** How many there are: the hub shows the best. */
  readonly total: number;
  readonly fault?: string | undefined;
};

/** Each letter would ask the hub. */
const TYPING_MS = 150;
const ALL_OFF = 'all-off';
/** Two letters begin too many words. */
const LEAST_LETTERS = 3;
const MOST_BY_KIND = 20;

/** Finds what a person sees in the home, the people, and pages of the settings by the words of the page itself. */
export function SearchSheet({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const body = useRef<HTMLDivElement>(null);
  const query = text.trim();
  const matches = useAnswer<Match>(query, `/find?${new URLSearchParams({ q: query }).toString()}`);
  const { sections, fault } = useSections(query, matches);
  const isAnswered = matches.query === query;
  /** Enter was pressed on these words. */
  const entered = useRef<string | null>(null);
  const openFirst = (): void => {
    // It opens what the whole word finds, not what its first letters found.
    if (entered.current !== matches.query) return;
    entered.current = null;
    body.current?.querySelector('a')?.click();
  };
  useEffect(openFirst, [matches]);
  const onKey = (event: KeyboardEvent): void => {
    const stops = [...(body.current?.querySelectorAll<HTMLElement>('input, a') ?? [])];
    const at = stops.findIndex((stop) => stop === event.target);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      stops[at + step]?.focus();
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      entered.current = event.target.value.trim();
      openFirst();
    }
  };
  const count = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <Dialog title={homeWords.search} onClose={onClose}>
      {(close) => (
        <div ref={body} class="search-sheet" onKeyDown={onKey}>
          <SearchField label={findWords.label} placeholder={homeWords.search} value={text} onValue={setText} />
          <p class="soft" role="status">
            {query === '' ? findWords.hint : isAnswered && fault === undefined ? findWords.count(count) : ''}
          </p>
          {fault === undefined ? null : <Notice tone="warn" text={fault} />}
          {sections.map((section) => (
            <Found key={section.title} section={section} onLink={close} />
          ))}
          {matches.total <= matches.items.length ? null : (
            <p class="soft">{findWords.more(matches.total - matches.items.length)}</p>
          )}
        </div>
      )}
    </Dialog>
  );
}

function Found({ section, onLink }: { readonly section: Section; readonly onLink: () => void }) {
  return (
    <section>
      <h3 class="rows-title">{section.title}</h3>
      <ul class="rows">
        {section.rows.map(({ href, icon, title, note }) => (
          <LinkRow key={href} href={href} icon={icon} title={title} note={note} onClick={onLink} />
        ))}
      </ul>
    </section>
  );
}

/** Asks the hub once the person has stopped typing. An answer to earlier words is thrown away. */
function useAnswer<Item>(query: string, path: string): Answer<Item> {
  const { client } = useHub();
  const [answer, setAnswer] = useState<Answer<Item>>({ query: '', items: [], total: 0 });
  useEffect(() => {
    if (query === '') {
      setAnswer({ query, items: [], total: 0 });
      return undefined;
    }
    let isOver = false;
    const ask = async (): Promise<void> => {
      let list: { readonly items: readonly Item[]; readonly total: number } = { items: [], total: 0 };
      const fault = await wordsIfRefused(async () => (list = await client.list<Item>(path)));
      if (!isOver) setAnswer({ query, ...list, fault });
    };
    const timer = setTimeout(() => void ask(), TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, query, path]);
  return answer;
}

/** The home comes first, in the order of the best match of each kind; then people and pages. */
function useSections(query: string, matches: Answer<Match>) {
  const { account, home } = useHub();
  const people = useAnswer<User>(account.can('user:manage') && query !== '' ? 'all' : '', '/user');
  const words = folded(query).split(/\s+/).filter(Boolean);
  const fits = (...texts: readonly (string | undefined)[]): boolean =>
    words.length > 0 && words.every((word) => folded(texts.join(' ')).includes(word));
  const sections = new Map<string, Row[]>();
  const add = (title: string, row: Row): void => void sections.set(title, [...(sections.get(title) ?? []), row]);

  for (const { kind, selector, name, room } of query === '' ? [] : matches.items) {
    const look = LOOKS[kind];
    if (look === undefined) continue;
    const [title, icon, path] = look();
    const device = kind === 'device' ? home.find(selector)?.device.value : undefined;
    add(title, {
      href: `${path}/${encodeURIComponent(selector)}`,
      icon: device === undefined ? icon : iconOf(device),
      title: kind === 'scene' && selector === ALL_OFF ? pageWords.allOff : name,
      note: room?.name,
    });
  }
  const isFound = new Set(matches.items.map(({ selector }) => selector));
  const [devices, , devicePath] = LOOKS.device();
  // The hub knows what people named. What a thing is and can do has its words here.
  const others = home.entries.value.map((entry) => entry.device.value).filter((device) => isSaid(device, words));
  for (const device of others.filter(({ selector }) => !isFound.has(selector)).slice(0, MOST_BY_KIND)) {
    const { selector, name, room } = device;
    add(devices, { href: `${devicePath}/${selector}`, icon: iconOf(device), title: name, note: room?.name });
  }
  const [scenes, icon, path] = LOOKS.scene();
  const isShown = matches.items.some(({ kind, selector }) => kind === 'scene' && selector === ALL_OFF);
  // The hub knows the name of its own scene in English.
  if (!isShown && fits(pageWords.allOff)) add(scenes, { href: `${path}/${ALL_OFF}`, icon, title: pageWords.allOff });
  for (const { id, name, email } of people.items) {
    if (fits(name, email)) {
      add(settingsWords.menu.people, { href: `/settings/people/${id}`, icon: 'user', title: name, note: email });
    }
  }
  const pages = query === '' ? [] : pagesFor(account);
  // Before the pages that have it somewhere inside.
  const named = pages.filter((one) => matchOf(one, query) === one);
  for (const entry of [...named, ...pages.filter((one) => !named.includes(one))]) {
    const match = matchOf(entry, query);
    if (match !== undefined) add(findWords.pages, { ...match, note: match.text });
  }
  return {
    sections: [...sections].map(([title, rows]): Section => ({ title, rows })),
    fault: matches.fault ?? people.fault,
  };
}

/** Whether each of these words is about a device, and one of them says what it is or can do: `light kitchen`. */
function isSaid(device: Device, words: readonly string[]): boolean {
  const features = device.features.filter(({ category }) => category === 'primary').map(({ name }) => name);
  const said = folded([nounOf(device), ...features].join(' ')).split(' ');
  const isOfKind = (word: string): boolean => word.length >= LEAST_LETTERS && said.some((one) => one.startsWith(word));
  const named = folded(`${device.name} ${device.room?.name ?? ''}`);
  return words.some(isOfKind) && words.every((word) => isOfKind(word) || named.includes(word));
}

/** The title of its section, its picture and its path. A later hub may find kinds that this page does not show. */
const LOOKS: Readonly<Record<Match['kind'], () => readonly [title: string, icon: IconName, path: string]>> = {
  room: () => [homeWords.rooms, 'room', '/room'],
  scene: () => [settingsWords.menu.scenes, 'palette', '/scene'],
  automation: () => [settingsWords.menu.rules, 'clock', '/rule'],
  group: () => [settingsWords.menu.groups, 'light', '/device'],
  device: () => [findWords.devices, 'plug', '/device'],
};
