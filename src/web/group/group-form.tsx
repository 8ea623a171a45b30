import { useState } from 'preact/hooks';
import type { Device, Group } from '#web/client/api.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { Choice } from '#web/form/choice.tsx';
import { conflictAs } from '#web/form/field-faults.ts';
import { inSight } from '#web/form/in-sight.ts';
import { SelectField } from '#web/form/select-field.tsx';
import { FieldError, NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { folded } from '#web/state/device/home-filter.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { house as houseWords } from '#web/strings/en/house.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

type Props = {
  /** Absent for a new one. */
  readonly group?: Group;
  readonly onSaved: (group: Group) => void;
  readonly onCancel?: () => void;
};

/** More need a search. */
const FEW = 8;
/** A phone draws no thousand check boxes in time: the search finds the others. */
const MOST_SHOWN = 60;

/** The name, the members and the room of a group. */
export function GroupForm({ group, onSaved, onCancel }: Props) {
  const { client, home } = useHub();
  // The revision when the fields were filled: a later one would undo what somebody else changed since.
  const [revision] = useState(group?.revision ?? 0);
  const [members, setMembers] = useState<readonly string[]>(group?.members.map(({ id }) => id) ?? []);
  const [isInRoom, setIsInRoom] = useState(group === undefined || group.room !== null);
  const form = useForm(['name', 'members', 'room']);
  const name = useField(form, 'name', group?.name ?? '');
  const chosen = members.flatMap((id) => home.find(id)?.device.value ?? []);
  const room = commonRoom(chosen);
  const save = async (): Promise<void> => {
    const body = { name: name.value.trim(), members, room: isInRoom ? (room?.id ?? null) : null };
    onSaved(
      await (group === undefined
        ? client.call<Group>('POST', '/group', body)
        : client.patchIf<Group>(revision, `/group/${group.id}`, body).catch(conflictAs(houseWords.groups.conflict))),
    );
  };
  return (
    <FormFrame
      form={form}
      class="form"
      onSubmit={() => form.submit(save, { name: name.value, members: members.join() })}
    >
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      <TextField label={houseWords.name} {...name} input={NAME_INPUT} />
      <Members group={group} members={members} onMembers={setMembers} fault={form.faults['members']} />
      {room === null ? (
        <p class="field-hint">{houseWords.groups.noRoom}</p>
      ) : (
        <SelectField
          label={houseWords.room}
          value={isInRoom ? room.id : ''}
          onValue={(value) => setIsInRoom(value !== '')}
          options={[
            [room.id, room.name],
            ['', houseWords.noRoom],
          ]}
          error={form.faults['room']}
        />
      )}
      <div class="form-buttons">
        {onCancel === undefined ? null : (
          <button type="button" class="button" onClick={onCancel}>
            {pageWords.cancel}
          </button>
        )}
        <button type="submit" class="button button-main" aria-disabled={form.isBusy}>
          {form.isBusy ? houseWords.saving : group === undefined ? houseWords.groups.addIt : houseWords.saveIt}
        </button>
      </div>
    </FormFrame>
  );
}

type MembersProps = {
  readonly group: Group | undefined;
  readonly members: readonly string[];
  readonly onMembers: (members: readonly string[]) => void;
  readonly fault: string | undefined;
};

function Members({ group, members, onMembers, fault }: MembersProps) {
  const { home } = useHub();
  const [search, setSearch] = useState('');
  const devices = home.entries.value.map(({ device }) => device.peek()).filter(canBeMember);
  const words = folded(search.trim());
  const found = devices.filter(
    ({ id, name, room }) => members.includes(id) || folded(`${name} ${room?.name ?? ''}`).includes(words),
  );
  const shown = inSight(found, ({ id }) => members.includes(id), MOST_SHOWN);
  const missing = group?.members.filter(({ state }) => state === 'missing') ?? [];
  const toggle = (id: string, isIn: boolean): void =>
    onMembers(isIn ? [...members, id] : members.filter((one) => one !== id));
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{houseWords.groups.members(members.length)}</legend>
      {devices.length > FEW ? <TextField label={houseWords.groups.search} value={search} onValue={setSearch} /> : null}
      <FieldError text={fault} />
      {shown.map(({ id, name, room }) => (
        <Choice
          key={id}
          type="checkbox"
          label={name}
          note={room?.name}
          isChosen={members.includes(id)}
          onChoice={(isIn) => toggle(id, isIn)}
        />
      ))}
      {found.length > shown.length ? (
        <p class="field-hint">{houseWords.groups.more(found.length - shown.length)}</p>
      ) : null}
      {missing.map(({ id, name }) => (
        <Choice
          key={id}
          type="checkbox"
          label={name}
          note={houseWords.groups.missing}
          isChosen={members.includes(id)}
          onChoice={(isIn) => toggle(id, isIn)}
        />
      ))}
    </fieldset>
  );
}

/** A group is in no group, and the hub's own devices are not either. */
function canBeMember({ integration, features }: Device): boolean {
  return integration !== 'group' && integration !== 'energy' && features.length > 0;
}

/** The room of all of them; `null` if they are in several rooms or in none. */
function commonRoom(devices: readonly Device[]): Device['room'] {
  const [first] = devices;
  const room = first?.room ?? null;
  return devices.every((device) => device.room?.id === room?.id) ? room : null;
}
