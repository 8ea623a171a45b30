import { useState } from 'preact/hooks';
import type { PersonPresence, User } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { conflictAs } from '#web/form/field-faults.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { usePresence } from '#web/house/use-house.ts';
import { useHub } from '#web/hub.ts';
import { Since } from '#web/parts/ago.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { house as houseWords } from '#web/strings/en/house.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

const CAPABILITIES = new Set(['presence', 'motion']);
/** Seconds. */
const DELAYS = ['0', '300', '900', '1800', '3600'] as const;

/** Asks what tells whether a person is at home, and after how long without a sign they count as away. */
export function PresencePanel({ person }: { readonly person: User }) {
  const { value, fault, again } = usePresence();
  return (
    <ReadingView of={{ value: value.value, fault: fault.value, again }} rows={2}>
      {({ people = [] }) => {
        const own = people.find(({ user }) => user.id === person.id);
        return own === undefined ? null : <PresenceForm key={settingsOf(own)} own={own} onSaved={again} />;
      }}
    </ReadingView>
  );
}

/** Each coming and going is a new revision, but only other settings begin the form anew. */
function settingsOf({ user, away_after_s: delay, sources }: PersonPresence): string {
  return JSON.stringify([user.id, delay, sources]);
}

type Props = { readonly own: PersonPresence; readonly onSaved: () => Promise<void> };

function PresenceForm({ own, onSaved }: Props) {
  const { client, home, messages } = useHub();
  const [sources, setSources] = useState(own.sources);
  const [delay, setDelay] = useState(String(own.away_after_s));
  const form = useForm(['sources', 'away_after_s']);
  const nameOf = ({ device, key }: (typeof sources)[number]): string => `${device}/${key}`;
  const chosen = new Set(sources.map(nameOf));
  const offered = home.entries.value.flatMap(({ device }) => {
    const { id, name, features } = device.peek();
    return features
      .filter(({ capability }) => CAPABILITIES.has(capability))
      .map((feature) => ({ source: { device: id, key: feature.key }, name, what: feature.name }));
  });
  const gone = sources.filter((source) => !offered.some((one) => nameOf(one.source) === nameOf(source)));
  const change = {
    ...(delay === String(own.away_after_s) ? {} : { away_after_s: Number(delay) }),
    ...([...chosen].sort().join() === own.sources.map(nameOf).sort().join() ? {} : { sources }),
  };
  const toggle = (source: (typeof sources)[number], isIn: boolean): void =>
    setSources(isIn ? [...sources, source] : sources.filter((one) => nameOf(one) !== nameOf(source)));
  const save = async (): Promise<void> => {
    try {
      await client
        .patchIf(own.revision, `/presence/${own.user.id}`, change)
        .catch(conflictAs(houseWords.presenceConflict));
      messages.show(settingsWords.saved);
    } finally {
      await onSaved();
    }
  };
  const delays = [...new Set<string>([...DELAYS, String(own.away_after_s)])];
  return (
    <PanelForm
      form={form}
      title={houseWords.people}
      submit={settingsWords.save}
      isIdle={Object.keys(change).length === 0}
      onSubmit={save}
    >
      <p>
        {houseWords.states[own.state]}
        {own.since === null ? null : [' · ', <Since key="since" at={own.since} />]}
      </p>
      <fieldset class="choice-list">
        <legend class="field-label">{houseWords.sources}</legend>
        {offered.length + gone.length === 0 ? <p class="field-hint">{houseWords.noSources}</p> : null}
        {offered.map(({ source, name, what }) => (
          <Choice
            key={nameOf(source)}
            type="checkbox"
            label={name}
            note={what}
            isChosen={chosen.has(nameOf(source))}
            onChoice={(isIn) => toggle(source, isIn)}
          />
        ))}
        {gone.map((source) => (
          <Choice
            key={nameOf(source)}
            type="checkbox"
            label={source.key}
            note={houseWords.groups.missing}
            isChosen
            onChoice={(isIn) => toggle(source, isIn)}
          />
        ))}
      </fieldset>
      <SelectField
        label={houseWords.awayAfter}
        value={delay}
        onValue={setDelay}
        options={delays.map((one) => [one, houseWords.minutes(Math.round(Number(one) / 60))])}
        hint={houseWords.awayAfterHint}
        error={form.faults['away_after_s'] ?? form.faults['sources']}
      />
    </PanelForm>
  );
}
