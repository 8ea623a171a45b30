import { useState } from 'preact/hooks';
import type { Device, Room } from '#web/client/api.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { IconChoices } from '#web/form/icon-choices.tsx';
import { FormButtons } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { useTask } from '#web/parts/use-task.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { DEVICE_ICONS, natureOf } from '#web/state/device/device-facts.ts';

type Props = {
  readonly device: Device;
  /** The room that is offered for a device without one. */
  readonly proposedRoom?: string | null;
  /** Gets the id of the device's room. */
  readonly onSaved: (room: string | null) => void;
  readonly onCancel?: () => void;
  /** Whether a picture can be chosen too. */
  readonly hasIcon?: boolean;
};

const NEW = 'new';

/** A form for the name and the room of a device. */
export function NameAndRoom({ device, proposedRoom = null, onSaved, onCancel, hasIcon = false }: Props) {
  const { client, home } = useHub();
  const [name, setName] = useState(device.name);
  const [chosenRoom, setRoom] = useState<string | null>(null);
  const [newRoom, setNewRoom] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const [icon, setIcon] = useState(device.icon);
  const rooms = home.rooms.value;
  const room = chosenRoom ?? device.room?.id ?? proposedRoom ?? '';

  const { run, isRunning, refusal } = useTask(async () => {
    const choice = room === NEW ? { name: newRoom } : room === '' ? null : room;
    onSaved(await saveDevice({ client, rooms }, device, { name, room: choice, icon }));
  });
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const isNameless = room === NEW && newRoom.trim() === '';
        setIsMissing(isNameless);
        if (!isNameless) run();
      }}
    >
      {refusal === undefined ? null : <Notice tone="danger" text={refusal} />}
      <TextField
        label={pageWords.edit.name}
        hint={pageWords.edit.nameHint}
        value={name}
        onValue={setName}
        input={NAME_INPUT}
      />
      <SelectField
        label={pageWords.edit.room}
        value={room}
        onValue={setRoom}
        options={[
          ['', pageWords.edit.noRoom],
          ...rooms.map(({ id, name: roomName }) => [id, roomName] as const),
          [NEW, pageWords.edit.newRoom],
        ]}
      />
      {room === NEW ? (
        <TextField
          label={pageWords.edit.newRoomName}
          value={newRoom}
          onValue={setNewRoom}
          error={isMissing ? pageWords.field.required : undefined}
          input={NAME_INPUT}
          takesFocus
        />
      ) : null}
      {hasIcon ? (
        <IconChoices icons={DEVICE_ICONS} value={icon} plain={natureOf(device).icon} onValue={setIcon} />
      ) : null}
      <FormButtons isBusy={isRunning} submit={pageWords.edit.save} busy={pageWords.edit.busy} onCancel={onCancel} />
    </form>
  );
}

/** Id of a room, `null` for none, or the name of a room that may not exist yet. */
type RoomChoice = string | null | { readonly name: string };
type DeviceChange = { readonly name: string; readonly room: RoomChoice; readonly icon: string | null };

type Deps = { readonly client: Pick<HubClient, 'call'>; readonly rooms: readonly Room[] };

/** Renames and moves; an empty name restores the device's own. Sends only what has changed. Returns the room's id. */
async function saveDevice(
  { client, rooms }: Deps,
  device: Device,
  { name, room, icon }: DeviceChange,
): Promise<string | null> {
  const wanted = name.trim();
  const place = await roomIdFrom({ client, rooms }, room);
  const change = {
    ...(wanted === device.name ? {} : { name: wanted === '' ? null : wanted }),
    ...(place === (device.room?.id ?? null) ? {} : { room: place }),
    ...(icon === device.icon ? {} : { icon }),
  };
  if (Object.keys(change).length > 0) await client.call('PATCH', `/device/${device.id}`, change);
  return place;
}

async function roomIdFrom({ client, rooms }: Deps, room: RoomChoice): Promise<string | null> {
  if (room === null || typeof room === 'string') return room;
  const name = room.name.trim();
  // An earlier try may have added the room and failed afterwards.
  const known = rooms.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return (known ?? (await client.call<Room>('POST', '/room', { name }))).id;
}
