import { useState } from 'preact/hooks';
import type { IntegrationKind } from '#web/client/api.ts';
import { natureOf } from '#web/state/device/device-facts.ts';
import { NameAndRoom } from '#web/device/name-and-room.tsx';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { troubles as troubleWords } from '#web/strings/en/troubles.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { useIntegrations, useKinds } from '#web/readings/use-integrations.ts';
import { errorWords } from '#web/strings/error-words.ts';

/** More would make a long page; the home has them all. */
const MOST = 30;

type Props = { readonly integration: string; readonly kind: IntegrationKind | undefined };

/** What has come with a new integration: its devices as they appear, or what can be set up on top of it. */
export function NewDevices({ integration: id, kind }: Props) {
  const { home } = useHub();
  const { value: all } = useIntegrations();
  const { value: kinds = [] } = useKinds();
  const [lastRoom, setLastRoom] = useState<string | null>(null);
  const integration = all?.find((one) => one.id === id);
  const devices = home.entries.value.filter(({ device }) => device.value.integration === id);
  const users = kinds.filter(({ settings }) => Object.values(settings).some((field) => field.kind === kind?.id));
  const shown = devices.slice(0, MOST);
  const problem = integration?.error ?? null;
  return (
    <>
      {problem === null ? null : <Notice tone="warn" text={troubleWords.why(errorWords(problem))} />}
      {users.length > 0 && kind !== undefined ? (
        <p>
          {settingsWords.setup.nextKind(users.map(({ name }) => name))} <a href="/add">{settingsWords.setting.toAdd}</a>
        </p>
      ) : null}
      {devices.length === 0 && users.length === 0 ? <p class="soft">{settingsWords.setup.noDevices}</p> : null}
      {devices.length === 0 ? null : <h2 class="rows-title">{settingsWords.integrations.devices(devices.length)}</h2>}
      <ul class="found">
        {shown.map((entry) => (
          <li key={entry.device.value.id} class="panel">
            <NewDevice entry={entry} lastRoom={lastRoom} onRoom={setLastRoom} />
          </li>
        ))}
      </ul>
      {devices.length > MOST ? <p class="soft">{settingsWords.setup.moreDevices(devices.length - MOST)}</p> : null}
    </>
  );
}

type DeviceProps = {
  readonly entry: DeviceEntry;
  readonly lastRoom: string | null;
  readonly onRoom: (id: string | null) => void;
};

function NewDevice({ entry, lastRoom, onRoom }: DeviceProps) {
  const [isOpen, setIsOpen] = useState(false);
  const device = entry.device.value;
  return (
    <>
      <div class="found-head">
        <Icon name={natureOf(device).icon} />
        <span class="row-text">
          <bdi class="row-title">{device.name}</bdi>
          <bdi class="row-note">
            {device.room?.name ?? pageWords.home.noRoom} · {pageWords.types[device.type] ?? enumWords(device.type)}
          </bdi>
        </span>
        {isOpen ? null : (
          <button
            type="button"
            class="button"
            aria-label={settingsWords.setup.editOne(device.name)}
            onClick={() => setIsOpen(true)}
          >
            {settingsWords.setup.edit}
          </button>
        )}
      </div>
      {isOpen ? (
        <NameAndRoom
          device={device}
          proposedRoom={lastRoom}
          onSaved={(room) => {
            setIsOpen(false);
            onRoom(room);
          }}
          onCancel={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}
