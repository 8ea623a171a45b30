import { useState } from 'preact/hooks';
import type { Mode, PersonPresence } from '#web/client/api.ts';
import { MomentField } from '#web/form/moment-field.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { useHub } from '#web/hub.ts';
import { Since } from '#web/parts/ago.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { useReport } from '#web/parts/use-task.ts';
import { timeWords } from '#web/strings/formats.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { modeName, modeWords } from './mode-words.ts';
import { useModes, usePresence } from './use-house.ts';

/** Shows the mode of the home, until when, and who is there. A tap on a value sets it at once. */
export function HouseSheet({ onClose }: { readonly onClose: () => void }) {
  const { account } = useHub();
  const modes = useModes().value.value ?? [];
  const { value: kept, again } = usePresence();
  const presence = kept.value;
  const sorted = [...modes].sort((one, other) => Number(other.key === 'home') - Number(one.key === 'home'));
  return (
    <Dialog title={houseWords.house} onClose={onClose}>
      {() => (
        <div class="house-sheet">
          {sorted.map((mode) => (
            <ModeChoice key={mode.key} mode={mode} />
          ))}
          <section class="house-part">
            <h3>{houseWords.people}</h3>
            {presence === undefined ? null : presence.people === undefined ? (
              <p class="soft">{homeWords.mode.anyone[presence.anyone]}</p>
            ) : (
              <PeopleAtHome people={presence.people} />
            )}
            {account.can('presence:tell') ? (
              <OwnPresence
                presence={presence?.people?.find(({ user }) => user.id === account.me.value?.id)}
                onTold={() => void again()}
              />
            ) : null}
          </section>
        </div>
      )}
    </Dialog>
  );
}

type Length = keyof typeof houseWords.lengths;
const LENGTHS = ['', '3600', '10800', '43200', '86400', 'moment'] as const satisfies readonly Length[];

function ModeChoice({ mode }: { readonly mode: Mode }) {
  const { account, client, messages } = useHub();
  const { again } = useModes();
  const [length, setLength] = useState<Length>('');
  const [moment, setMoment] = useState<string | null>(null);
  /** The mode before the choice in this sheet follows when the time is over. */
  const [before, setBefore] = useState<string | null>(null);
  const [fault, setFault] = useState<string>();
  const canSet = account.can('mode:set');
  /** An end that was set elsewhere is a moment; without one there is none, whatever was chosen before. */
  const shown = length === 'moment' ? length : mode.until === null ? '' : length === '' ? 'moment' : length;
  const name = modeName(mode);
  const next = before ?? mode.next ?? (mode.value === 'home' ? null : 'home');
  // A second choice may come before the first is answered: both are sent.
  const set = async (value: string, end: object): Promise<void> => {
    const words = await wordsIfRefused(() => client.call('PUT', `/mode/${mode.key}`, { value, ...end }));
    setFault(words);
    if (words === undefined) messages.show(houseWords.setTo(modeWords(mode, value)));
    await again();
  };
  return (
    <section class="house-part">
      <h3>{name}</h3>
      <div class="choices" role="group" aria-label={name}>
        {mode.values.map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === mode.value}
            disabled={!canSet}
            onClick={() => {
              setLength('');
              setMoment(null);
              if (value !== mode.value) setBefore(mode.value);
              void set(value, {});
            }}
          >
            {modeWords(mode, value)}
          </button>
        ))}
      </div>
      {mode.until === null ? null : (
        <p class="soft">{houseWords.ends(timeWords(mode.until, 'dayAndClock'), modeWords(mode, mode.next ?? ''))}</p>
      )}
      {fault === undefined ? null : (
        <p class="field-error" role="alert">
          <Icon name="warning" size={16} />
          <span>{fault}</span>
        </p>
      )}
      {canSet && mode.key === 'home' && next !== null && next !== mode.value ? (
        <>
          <SelectField
            label={houseWords.until}
            value={shown}
            options={LENGTHS.map((one) => [one, houseWords.lengths[one]])}
            onValue={(chosen) => {
              const wanted = LENGTHS.find((one) => one === chosen) ?? '';
              setLength(wanted);
              if (wanted !== 'moment') void set(mode.value, wanted === '' ? {} : { for_s: Number(wanted), next });
            }}
          />
          {shown === 'moment' ? (
            <MomentField
              label={houseWords.untilMoment}
              hint={houseWords.untilHint}
              value={moment ?? mode.until}
              error={undefined}
              onValue={(until) => {
                setMoment(until);
                if (until !== null) void set(mode.value, { until, next });
              }}
            />
          ) : null}
        </>
      ) : null}
    </section>
  );
}

function PeopleAtHome({ people }: { readonly people: readonly PersonPresence[] }) {
  return (
    <ul class="house-people">
      {people.map(({ user, state, since }) => (
        <li key={user.id} data-state={state}>
          <bdi>{user.name}</bdi>
          <span class="soft">
            {houseWords.states[state]}
            {since === null || state === 'unknown' ? null : [' · ', <Since key="since" at={since} />]}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** For people who are limited to rooms: they see no one else, and tell of themselves. */
export function OwnPresenceSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={homeWords.mode.iAm} onClose={onClose}>
      {() => (
        <div class="house-sheet">
          <OwnPresence presence={undefined} onTold={() => undefined} />
        </div>
      )}
    </Dialog>
  );
}

/** In these nobody is at home. */
const EMPTY_MODES: ReadonlySet<string> = new Set(['away', 'vacation']);

type OwnProps = { readonly presence: PersonPresence | undefined; readonly onTold: () => void };

/**
 * Lets the person at the page say whether they are there. Guests see of themselves only the answer to what they say.
 */
function OwnPresence({ presence, onTold }: OwnProps) {
  const { account, client, messages, questions } = useHub();
  const modes = useModes();
  const report = useReport();
  const [answer, setAnswer] = useState<PersonPresence>();
  const own = presence ?? answer;
  /** A person that comes home while the home is away or on vacation is asked: others may still be away. */
  const askForMode = (): void => {
    const mode = modes.value.peek()?.find(({ key }) => key === 'home');
    if (mode === undefined || !EMPTY_MODES.has(mode.value) || !account.can('mode:set')) return;
    const { title, text, confirm } = houseWords.cameHome;
    const [now, next] = [modeWords(mode, mode.value), modeWords(mode, 'home')];
    questions.ask({ title: title(now), text: text(next), confirm }, () => {
      void report(async () => {
        await client.call('PUT', `/mode/${mode.key}`, { value: 'home' });
        messages.show(houseWords.setTo(next));
      });
    });
  };
  const tell = async (state: 'home' | 'away'): Promise<void> => {
    await report(async () => {
      const told = await client.call<PersonPresence>('POST', '/presence/me', { state });
      setAnswer(told);
      if (state === 'home') askForMode();
      if (told.state !== state) messages.show(houseWords.awaySoon(Math.ceil(told.away_after_s / 60)));
    });
    onTold();
  };
  return (
    <div class="choices" role="group" aria-label={homeWords.mode.iAm}>
      {(['home', 'away'] as const).map((state) => (
        <button key={state} type="button" aria-pressed={own?.state === state} onClick={() => void tell(state)}>
          {houseWords[state]}
        </button>
      ))}
    </div>
  );
}
