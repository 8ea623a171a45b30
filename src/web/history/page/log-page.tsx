import type { Mode, Scene, TimelineLine, Timeline } from '#web/client/api.ts';
import { causeWords, wordsOfPast, worthTelling } from '#web/history/log-words.ts';
import { SelectField } from '#web/form/select-field.tsx';
import { useHub } from '#web/hub.ts';
import { RowsSkeleton, Unread } from '#web/parts/reading-view.tsx';
import { modeName, modeWords } from '#web/house/mode-words.ts';
import { useModes } from '#web/house/use-house.ts';
import { useReading } from '#web/parts/use-reading.ts';
import { useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { errorWords } from '#web/strings/error-words.ts';
import { usePages } from '#web/readings/use-pages.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { timeWords } from '#web/strings/formats.ts';
import { enumWords, valueWords } from '#web/strings/value-words.ts';
import { HistoryHead } from './history-tabs.tsx';
import type { IntegrationShown } from '#web/strings/kind-words.ts';

const PAGE_LINES = 50;

/** Shows what happened in the home, and who or what caused it. Its address says which part of the home it is about. */
export function LogPage() {
  const { router, home } = useHub();
  const params = new URLSearchParams(router.place.value.query);
  const [device, room] = [params.get('device') ?? '', params.get('room') ?? ''];
  const entries = home.entries.value;
  const rooms = home.rooms.value;
  const inRoom = entries.filter(({ device: { value } }) => room === '' || value.room?.selector === room);
  const show = (about: string): void => router.go(`/history/log${about}`, 'replace');
  const ofRoom = room === '' ? '' : `room=${encodeURIComponent(room)}`;
  return (
    <div class="page narrow history-log">
      <HistoryHead />
      <div class="log-filter">
        {rooms.length === 0 ? null : (
          <SelectField
            label={pageWords.home.room}
            value={room}
            onValue={(chosen) => show(chosen === '' ? '' : `?room=${encodeURIComponent(chosen)}`)}
            options={[['', pageWords.home.allRooms], ...rooms.map(({ selector, name }) => [selector, name] as const)]}
          />
        )}
        <SelectField
          label={historyWords.log.device}
          value={device}
          onValue={(chosen) => {
            const ofDevice = chosen === '' ? '' : `device=${encodeURIComponent(chosen)}`;
            const query = [ofRoom, ofDevice].filter((part) => part !== '').join('&');
            show(query === '' ? '' : `?${query}`);
          }}
          options={[
            ['', historyWords.log.allDevices],
            ...inRoom.map(({ device: { value } }) => [value.selector, value.name] as const),
          ]}
        />
      </div>
      {home.isLoaded.value ? <Lines device={device} room={room} /> : <RowsSkeleton rows={8} />}
    </div>
  );
}

function Lines({ device, room }: { readonly device: string; readonly room: string }) {
  const { items: lines, goesOn, isBusy, fault, readOn } = useLogPages(device, room);
  const { value: scenes = [] } = useReading<readonly Scene[]>('/scene');
  const names = useHomeNames();
  const sceneNames = new Map(scenes.map(({ id, name }) => [id, name]));
  const { home } = useHub();
  if (lines === null) {
    return fault === undefined ? <RowsSkeleton rows={8} /> : <Unread fault={fault} again={readOn} />;
  }
  return (
    <>
      {lines.length === 0 && !goesOn ? <p class="soft">{historyWords.log.empty}</p> : null}
      {byDay(worthTelling(lines, (id) => home.find(id)?.device.peek())).map(([day, ofDay]) => (
        <section key={day}>
          <h2 class="rows-title">{day}</h2>
          <ol class="rows">
            {ofDay.map(({ line, index }) => (
              <Line key={index} line={line} sceneNames={sceneNames} names={names} />
            ))}
          </ol>
        </section>
      ))}
      <Unread fault={fault} again={readOn} />
      {goesOn && fault === undefined ? (
        <button type="button" class="button" aria-disabled={isBusy} onClick={readOn}>
          {isBusy ? pageWords.loading : pageWords.log.more}
        </button>
      ) : null}
    </>
  );
}

type LineProps = {
  readonly line: TimelineLine;
  readonly sceneNames: ReadonlyMap<string, string>;
  readonly names: HomeNames;
};

function Line({ line, sceneNames, names }: LineProps) {
  const { home } = useHub();
  const { at, device } = line;
  const words =
    device === null ? homeWords(line, names) : wordsOfPast(line, home.find(device.id)?.device.peek() ?? NO_FEATURES);
  if (words === undefined) return null;
  const scene = line.cause?.scene;
  const cause = causeWords(line, scene === undefined || scene === null ? undefined : sceneNames.get(scene));
  const note = [words.note, cause].filter((part) => part !== '').join(', ');
  return (
    <li class="row audit-row" data-tone={words.tone}>
      <time class="audit-time" dateTime={at}>
        {timeWords(at, 'clock')}
      </time>
      <span class="row-text">
        <span>
          {device === null ? null : (
            <a class="log-device" href={`/device/${device.selector}`}>
              <bdi>{device.name}</bdi>
            </a>
          )}{' '}
          <What line={line} words={words.what} />
        </span>
        {note === '' ? null : <bdi class="row-note">{note}</bdi>}
      </span>
    </li>
  );
}

/** A run leads to its trace. */
function What({ line: { automation, run }, words }: { readonly line: TimelineLine; readonly words: string }) {
  const { account } = useHub();
  const selector = automation?.selector ?? null;
  if (run === undefined || selector === null || !account.can('automation:read')) return <bdi>{words}</bdi>;
  return (
    <a class="log-device" href={`/rule/${selector}/run/${run.id}`}>
      <bdi>{words}</bdi>
    </a>
  );
}

/** Stands for a device that this page does not know. */
const NO_FEATURES = { features: [] };

type Words = NonNullable<ReturnType<typeof wordsOfPast>>;

type HomeNames = { readonly modes: readonly Mode[]; readonly integrations: readonly IntegrationShown[] };

function useHomeNames(): HomeNames {
  return { modes: useModes().value.value ?? [], integrations: useNamedIntegrations().value ?? [] };
}

/** Lines about no device. A type that this page does not know is shown as it is. */
function homeWords(
  { type, integration, mode, variable, presence, automation, run, skipped = 0 }: TimelineLine,
  { modes, integrations }: HomeNames,
): Words {
  const valueOf = (value: unknown): string => valueWords({ capability: '', unit: null, step: null }, value);
  if (type === 'hub.started') return { what: historyWords.log.started, note: '' };
  if (type === 'lines.skipped') return { what: pageWords.log.skipped(skipped), note: '' };
  if (run !== undefined) return { what: automation?.name ?? '', note: pastWords.outcomes[run.outcome] ?? run.outcome };
  if (mode !== undefined) {
    const one = modes.find(({ key }) => key === mode.key) ?? { ...mode, name: enumWords(mode.key), value_names: {} };
    return { what: historyWords.log.mode(modeName(one), modeWords(one, String(mode.value))), note: '' };
  }
  if (variable !== undefined) {
    return { what: historyWords.log.variable(enumWords(variable.key), valueOf(variable.value)), note: '' };
  }
  if (presence !== undefined) {
    return {
      what: historyWords.log.person(
        presence.user.name ?? historyWords.log.gonePerson,
        historyWords.log.presence[presence.state],
      ),
      note: '',
    };
  }
  if (integration === undefined) return { what: type, note: '' };
  const { id, status, error } = integration;
  const states: Readonly<Record<string, string>> = historyWords.log.integrations;
  const one = integrations.find((known) => known.id === id);
  const name = one?.name ?? enumWords(id.replaceAll('-', '_'));
  return {
    what: historyWords.log.integration(name, states[status] ?? enumWords(status)),
    note: error === null ? '' : errorWords({ code: error, message: null }, one?.kind),
    ...(status === 'error' ? { tone: 'bad' as const } : {}),
  };
}

type Numbered = { readonly line: TimelineLine; readonly index: number };

/** In the hub's zone; the lines are in their order already. */
function byDay(lines: readonly TimelineLine[]): readonly (readonly [string, readonly Numbered[]])[] {
  const days = new Map<string, Numbered[]>();
  for (const [index, line] of lines.entries()) {
    const day = timeWords(line.at, 'wholeDay');
    const ofDay = days.get(day);
    if (ofDay === undefined) days.set(day, [{ line, index }]);
    else ofDay.push({ line, index });
  }
  return [...days];
}

/** The lines of the logbook, the newest first; of a device or room unless these are ''. */
function useLogPages(device: string, room: string) {
  const { client } = useHub();
  const about = [
    device === '' ? '' : `device=${encodeURIComponent(device)}&`,
    room === '' ? '' : `room=${encodeURIComponent(room)}&`,
  ].join('');
  return usePages(about, async (cursor) => {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await client.call<Timeline>('GET', `/history/timeline?${about}limit=${PAGE_LINES}${after}`);
    return { items: answer.lines, next: answer.next };
  });
}
