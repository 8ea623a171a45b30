import { useState } from 'preact/hooks';
import type { Calendar, Upcoming } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { FieldError, NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { place as placeWords } from '#web/strings/en/place.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { civilDayWords } from '#web/strings/formats.ts';

type Props = { readonly days: Upcoming['days']; readonly onChanged: () => Promise<void> };

/** Dates under names: holidays, vacations. Automations for workdays leave out those that are free. */
export function Calendars({ days, onChanged }: Props) {
  const reading = useReading<readonly Calendar[]>('/calendar');
  const [count, setCount] = useState(0);
  const again = async (): Promise<void> => {
    await Promise.all([reading.again(), onChanged()]);
    setCount(count + 1);
  };
  return (
    <ReadingView of={reading}>
      {(calendars) => (
        <>
          <h2 class="rows-title">{placeWords.calendars}</h2>
          <p class="soft">{placeWords.calendarsText}</p>
          {calendars.map((calendar) => (
            <CalendarForm key={`${calendar.key} ${calendar.revision}`} calendar={calendar} onChanged={again} />
          ))}
          <CalendarForm key={`new ${count}`} onChanged={again} />
          {days.length === 0 ? null : (
            <>
              <h2 class="rows-title">{placeWords.upcoming}</h2>
              <ul class="rows">
                {days.slice(0, MOST_DAYS).map(({ date, workday, calendars: names }) => (
                  <li key={date} class="row">
                    <span class="row-text">
                      <span class="row-title">{civilDayWords(date, 'wholeDay')}</span>
                      <bdi class="row-note">
                        {placeWords.day(
                          names.map(({ name }) => name),
                          workday,
                        )}
                      </bdi>
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </ReadingView>
  );
}

const MOST_DAYS = 8;

type FormProps = { readonly calendar?: Calendar; readonly onChanged: () => Promise<void> };

/** One calendar, or a new one: its dates are written one below the other. */
function CalendarForm({ calendar, onChanged }: FormProps) {
  const { client, messages, questions } = useHub();
  const [name, setName] = useState(calendar?.name ?? '');
  const [text, setText] = useState(calendar?.dates.join('\n') ?? '');
  const [isFree, setIsFree] = useState(calendar?.free ?? true);
  const form = useForm(['name', 'dates', 'key']);
  const dates = text.split(/[\s,;]+/).filter((date) => date !== '');
  const isSame =
    name.trim() === (calendar?.name ?? '') &&
    dates.join() === (calendar?.dates.join() ?? '') &&
    isFree === (calendar?.free ?? true);
  const save = async (): Promise<void> => {
    const key = calendar?.key ?? keyFrom(name);
    await client.call('PUT', `/calendar/${encodeURIComponent(key)}`, { name: name.trim(), dates, free: isFree });
    messages.show(placeWords.saved(name.trim()));
    await onChanged();
  };
  const remove = (): void =>
    questions.ask(
      { title: placeWords.removeQuestion(name), text: placeWords.removeText, confirm: placeWords.remove },
      () => {
        form.submit(async () => {
          await client.call('DELETE', `/calendar/${encodeURIComponent(calendar?.key ?? '')}`);
          await onChanged();
        });
      },
    );
  const fault = form.faults['dates'];
  return (
    <PanelForm
      form={form}
      title={calendar === undefined ? placeWords.add : calendar.name}
      submit={calendar === undefined ? placeWords.addIt : settingsWords.save}
      isIdle={isSame}
      needed={{ name, dates: text }}
      onSubmit={save}
    >
      <TextField
        label={placeWords.name}
        value={name}
        onValue={setName}
        error={form.faults['name'] ?? form.faults['key']}
        input={NAME_INPUT}
      />
      <label class="field">
        <span class="field-label">{placeWords.dates}</span>
        <textarea
          class="input"
          rows={4}
          spellcheck={false}
          value={text}
          aria-invalid={fault !== undefined}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span class="field-hint">{placeWords.datesHint}</span>
        <FieldError text={fault} />
      </label>
      <Choice
        type="checkbox"
        label={placeWords.free}
        note={placeWords.freeNote}
        isChosen={isFree}
        onChoice={setIsFree}
      />
      {calendar === undefined ? null : (
        <button type="button" class="button button-danger" onClick={remove}>
          {placeWords.remove}
        </button>
      )}
    </PanelForm>
  );
}

/** `Ferien Bayern` → `ferien-bayern`. */
function keyFrom(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[^a-z]+|-+$/g, '')
      .slice(0, 32) || 'calendar'
  );
}
