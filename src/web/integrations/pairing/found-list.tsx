import { useState } from 'preact/hooks';
import type { Device } from '#web/client/api.ts';
import { natureOf } from '#web/state/device/device-facts.ts';
import { NameAndRoom } from '#web/device/name-and-room.tsx';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { titled } from '#web/strings/en/grammar.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords } from '#web/strings/value-words.ts';
import type { JoiningDevice } from './pairing-state.ts';

/** The devices found: the progress of each, then a form for its name and room. */
export function FoundList({ devices }: { readonly devices: readonly JoiningDevice[] }) {
  const { home } = useHub();
  // People usually go through the home room by room.
  const [lastRoom, setLastRoom] = useState<string | null>(null);
  const entries = home.entries.value;
  const latest = devices[0];
  return (
    <>
      <p class="unseen" role="status">
        {latest === undefined ? '' : titled(pageWords.pairing.steps[latest.step], latest.externalId)}
      </p>
      <ul class="found">
        {devices.map((one) => (
          <li key={`${one.integration} ${one.externalId}`} class="panel">
            <FoundDevice
              joining={one}
              lastRoom={lastRoom}
              onRoom={setLastRoom}
              entry={entries.find(({ device }) => {
                const { integration, external_id } = device.peek();
                return integration === one.integration && external_id === one.externalId;
              })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

type FoundProps = {
  readonly joining: JoiningDevice;
  readonly entry: DeviceEntry | undefined;
  readonly lastRoom: string | null;
  readonly onRoom: (id: string | null) => void;
};

function FoundDevice({ joining, entry, lastRoom, onRoom }: FoundProps) {
  const { step, externalId, isSupported } = joining;
  const [isNamed, setIsNamed] = useState(false);
  const device = entry?.device.value;
  if (step !== 'interview_done' || entry === undefined || device === undefined) {
    const isFailed = step === 'interview_failed';
    return (
      <div class="found-head" data-failed={isFailed}>
        <Icon name={isFailed ? 'warning' : 'device'} />
        <span class="row-text">
          <span class="row-title">{pageWords.pairing.steps[step]}</span>
          <bdi class="row-note">{isFailed ? pageWords.pairing.failedHint : externalId}</bdi>
        </span>
        {isFailed ? null : <span class="connection-dot pulse" />}
      </div>
    );
  }
  return (
    <>
      <div class="found-head">
        <Icon name={isNamed ? 'check' : natureOf(device).icon} />
        <span class="row-text">
          <bdi class="row-title">{device.name}</bdi>
          <bdi class="row-note">{isNamed ? (device.room?.name ?? pageWords.home.noRoom) : kindWords(device)}</bdi>
        </span>
        <Blink entry={entry} />
        {isNamed ? (
          <a class="button" href={`/device/${device.selector}`}>
            {pageWords.pairing.toDevice}
          </a>
        ) : null}
      </div>
      {isSupported ? null : <p class="field-hint">{pageWords.pairing.unsupported}</p>}
      {isNamed ? null : (
        <NameAndRoom
          device={device}
          proposedRoom={lastRoom}
          onSaved={(room) => {
            setIsNamed(true);
            onRoom(room);
          }}
        />
      )}
    </>
  );
}

/** Lets the device blink, to show which of several lamps it is. */
function Blink({ entry }: { readonly entry: DeviceEntry }) {
  const { commands } = useHub();
  const { name, features } = entry.device.value;
  const identify = features.find(({ capability, writable }) => capability === 'identify' && writable);
  if (identify === undefined) return null;
  return (
    <button
      type="button"
      class="button"
      aria-label={pageWords.pairing.blinkOne(name)}
      onClick={() => commands.act(entry, { key: identify.key, name: pageWords.pairing.blink })}
    >
      <Icon name="light" size={20} />
      {pageWords.pairing.blink}
    </button>
  );
}

/** Says what the device is and who made it. */
function kindWords({ type, manufacturer, model, external_id: address }: Device): string {
  const maker = [manufacturer, model].filter((word) => word !== null).join(' ') || address;
  return `${pageWords.types[type] ?? enumWords(type)} · ${maker}`;
}
