import { useState } from 'preact/hooks';
import type { ApiToken, WallQuestion } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { FieldError, NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { isSensitiveByItself } from '#web/state/account/rights.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { walls as wallsWords } from '#web/strings/en/settings/walls.ts';
import { DigitsForm } from './walls-page.tsx';

/** A tablet on the wall asks by its digits; its QR code leads here. The person sees which one it is, and chooses what it may. */
export function WallAllowPage() {
  const { router } = useHub();
  const code = new URLSearchParams(router.place.value.query).get('code') ?? '';
  return (
    <div class="page narrow">
      <PageHead key={code} title={wallsWords.add} back={{ href: '/settings/walls', label: wallsWords.title }} />
      {code === '' ? <DigitsForm /> : <Question key={code} code={code} />}
    </div>
  );
}

function Question({ code }: { readonly code: string }) {
  const reading = useReading<WallQuestion>(`/wall_request?code=${encodeURIComponent(code)}`);
  if (reading.isGone === true) {
    return (
      <>
        <Notice tone="warn" text={wallsWords.gone} />
        <DigitsForm />
      </>
    );
  }
  return (
    <ReadingView of={reading} rows={2}>
      {(asked) => <AllowForm code={code} asked={asked} />}
    </ReadingView>
  );
}

type AllowFormProps = {
  readonly code: string;
  readonly asked: WallQuestion;
};

function AllowForm({ code, asked }: AllowFormProps) {
  const { client, home, messages, router } = useHub();
  const [name, setName] = useState<string>(asked.name);
  const [isControl, setIsControl] = useState(true);
  const [hasDoors, setHasDoors] = useState(false);
  /** All but these; so a room that comes meanwhile is in. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const form = useForm(['name', 'rooms']);
  const rooms = home.rooms.value.filter(({ id }) => !left.has(id));
  const isAll = rooms.length === home.rooms.value.length;
  const doors = useDoors(isAll ? null : new Set(rooms.map(({ id }) => id)));
  const may = hasDoors && doors.length > 0 ? 'doors' : 'control';
  const path = `/wall_request/${encodeURIComponent(code)}`;
  const leave = (words: string): void => {
    messages.show(words);
    router.go('/settings/walls');
  };
  const allow = async (): Promise<void> => {
    const token = await client.call<ApiToken>('POST', `${path}/allow`, {
      rooms: isAll ? null : rooms.map(({ id }) => id),
      rights: isControl ? may : 'see',
      ...(name.trim() === asked.name ? {} : { name: name.trim() }),
    });
    leave(wallsWords.allowed(token.name));
  };
  const refusal = useReportedTask(async () => {
    await client.call('POST', `${path}/refuse`);
    leave(wallsWords.refused);
  });
  return (
    <>
      <PanelForm
        form={form}
        text={wallsWords.question(asked.name, asked.address, `${code.slice(0, 3)} ${code.slice(3)}`)}
        submit={wallsWords.allow}
        busy={wallsWords.allowing}
        isIdle={rooms.length === 0 && !isAll}
        needed={{ name }}
        onSubmit={allow}
      >
        <RightsField
          doors={doors}
          isControl={isControl}
          onControl={setIsControl}
          hasDoors={hasDoors}
          onDoors={setHasDoors}
        />
        <RoomsLeftField left={left} onLeft={setLeft} error={form.faults['rooms']} />
        <TextField
          label={settingsWords.tokens.name}
          value={name}
          onValue={setName}
          error={form.faults['name']}
          input={NAME_INPUT}
        />
      </PanelForm>
      <button type="button" class="button button-plain" aria-disabled={refusal.isRunning} onClick={() => refusal.run()}>
        {wallsWords.refuse}
      </button>
    </>
  );
}

type RightsProps = {
  readonly doors: readonly string[];
  readonly isControl: boolean;
  readonly onControl: (isControl: boolean) => void;
  readonly hasDoors: boolean;
  readonly onDoors: (hasDoors: boolean) => void;
};

function RightsField({ doors, isControl, onControl, hasDoors, onDoors }: RightsProps) {
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{wallsWords.may}</legend>
      <Choice type="radio" name="may" label={wallsWords.see} isChosen={!isControl} onChoice={() => onControl(false)} />
      <Choice
        type="radio"
        name="may"
        label={wallsWords.control}
        note={wallsWords.controlNote}
        isChosen={isControl}
        onChoice={() => onControl(true)}
      />
      {isControl && doors.length > 0 ? (
        <Choice
          type="checkbox"
          label={wallsWords.doors(doors)}
          note={wallsWords.doorsNote}
          isChosen={hasDoors}
          onChoice={onDoors}
        />
      ) : null}
    </fieldset>
  );
}

type RoomsLeftProps = {
  readonly left: ReadonlySet<string>;
  readonly onLeft: (left: ReadonlySet<string>) => void;
  readonly error: string | undefined;
};

/** All rooms are proposed: the person takes out those that the tablet should not show. */
function RoomsLeftField({ left, onLeft, error }: RoomsLeftProps) {
  const rooms = useHub().home.rooms.value;
  if (rooms.length === 0) return null;
  const shown = rooms.filter(({ id }) => !left.has(id)).length;
  return (
    <details class="more" open={error !== undefined}>
      <summary>{shown === rooms.length ? wallsWords.allRooms : wallsWords.someRooms(shown)}</summary>
      <fieldset class="choice-list">
        <legend class="unseen">{settingsWords.tokens.rooms}</legend>
        {rooms.map(({ id, name }) => (
          <Choice
            key={id}
            type="checkbox"
            label={name}
            isChosen={!left.has(id)}
            onChoice={(isIn) => onLeft(new Set(isIn ? [...left].filter((one) => one !== id) : [...left, id]))}
          />
        ))}
        <FieldError text={error} />
      </fieldset>
    </details>
  );
}

/** The names of what lets people in or floods the home in these rooms, which this person may give; `null` for all rooms. */
function useDoors(rooms: ReadonlySet<string> | null): readonly string[] {
  const { home, account } = useHub();
  if (!account.can('device:control_sensitive')) return [];
  return home.entries.value
    .map(({ device }) => device.value)
    .filter((device) => device.sensitive || isSensitiveByItself(device))
    .filter(({ room }) => rooms === null || (room !== null && rooms.has(room.id)))
    .map(({ name }) => name);
}
