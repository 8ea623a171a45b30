import { useState } from 'preact/hooks';
import type { SceneCaptured } from '#web/client/api.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { FormButtons } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { house as houseWords } from '#web/strings/en/house.ts';
import { IconField } from './icon-field.tsx';
import { sceneFeatures } from './scene-draft.ts';
import { SkippedList } from './skipped-list.tsx';

type Props = {
  /** Id of the room to save; without it the form asks. */
  readonly room?: string;
};

/** A button that saves a room, or the whole home, as it is now. */
export function CaptureButton({ room }: Props) {
  const { account } = useHub();
  const [isOpen, setIsOpen] = useState(false);
  if (!account.can('scene:manage')) return null;
  return (
    <>
      <button type="button" class="button" onClick={() => setIsOpen(true)}>
        <Icon name="plus" size={18} />
        {houseWords.save}
      </button>
      {isOpen ? <CaptureDialog {...(room === undefined ? {} : { room })} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CaptureDialog({ room, onClose }: Props & { readonly onClose: () => void }) {
  const { home, router, messages } = useHub();
  const [captured, setCaptured] = useState<SceneCaptured | null>(null);
  const place = home.rooms.value.find(({ id }) => id === room);
  const open = ({ selector }: SceneCaptured): void => router.go(`/scene/${selector}`);
  return (
    <Dialog
      title={
        captured === null
          ? place === undefined
            ? houseWords.save
            : houseWords.saveTitle(place.name)
          : houseWords.saved(captured.name)
      }
      onClose={onClose}
    >
      {(close) =>
        captured === null ? (
          <CaptureForm
            {...(room === undefined ? {} : { room })}
            onCancel={close}
            onSaved={(scene) => {
              // What was left out is worth a look before one goes on.
              if (scene.skipped.length > 0) return setCaptured(scene);
              messages.show(houseWords.saved(scene.name), 'plain', {
                action: { label: houseWords.toScene, run: () => open(scene) },
              });
              return close();
            }}
          />
        ) : (
          <>
            <SkippedList skipped={captured.skipped} />
            <div class="dialog-buttons">
              <button
                type="button"
                class="button button-main"
                onClick={() => {
                  close();
                  open(captured);
                }}
              >
                {houseWords.toScene}
              </button>
            </div>
          </>
        )
      }
    </Dialog>
  );
}

type FormProps = Props & { readonly onSaved: (scene: SceneCaptured) => void; readonly onCancel: () => void };
const HOME = 'home';

function CaptureForm({ room, onSaved, onCancel }: FormProps) {
  const { client, home } = useHub();
  const rooms = home.rooms.value;
  const [icon, setIcon] = useState<string | null>(null);
  const [chosen, setChosen] = useState(room ?? rooms[0]?.id ?? HOME);
  const form = useForm(['name', 'icon'], { SCENE_EMPTY: 'all' });
  const name = useField(form, 'name', '');
  const save = async (): Promise<void> => {
    // A question names so many devices at most: those that have nothing for a scene are none of them.
    const all = home.entries.peek().flatMap(({ id, device }) => (sceneFeatures(device.peek()).length > 0 ? id : []));
    const place = chosen === HOME ? { capture: { devices: all } } : { room: chosen };
    onSaved(await client.call<SceneCaptured>('POST', '/scene', { name: name.value.trim(), icon, ...place }));
  };
  return (
    <FormFrame form={form} class="form" onSubmit={() => form.submit(save, { name: name.value })}>
      <p class="soft">{houseWords.saveText}</p>
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      {room === undefined ? (
        <SelectField
          label={houseWords.what}
          value={chosen}
          onValue={setChosen}
          options={[...rooms.map(({ id, name: roomName }) => [id, roomName] as const), [HOME, houseWords.wholeHome]]}
        />
      ) : null}
      <TextField label={houseWords.name} {...name} input={NAME_INPUT} />
      <IconField value={icon} onValue={setIcon} />
      <FormButtons isBusy={form.isBusy} submit={houseWords.saveIt} busy={houseWords.saving} onCancel={onCancel} />
    </FormFrame>
  );
}
