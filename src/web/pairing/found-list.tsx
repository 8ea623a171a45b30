import { useState } from 'preact/hooks';
import type { Device } from '#web/client/home.ts';
import { NameAndRoom } from '#web/device/name-and-room.tsx';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { natureOf } from '#web/state/device-facts.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { t } from '#web/strings/strings.ts';
import type { Found } from './pairing-state.ts';

/** Each device that has turned up: how far it is, and as soon as it is in, what it is called and where it stands. */
export function FoundList({ found }: { readonly found: readonly Found[] }) {
  const { home } = useHub();
  const entries = home.entries.value;
  const latest = found[0];
  return (
    <>
      <p class="unseen" role="status">
        {latest === undefined ? '' : `${t.pairing.steps[latest.step]}: ${latest.externalId}`}
      </p>
      <ul class="found">
        {found.map((one) => (
          <li key={`${one.integration} ${one.externalId}`} class="panel">
            <FoundDevice
              found={one}
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

function FoundDevice({ found, entry }: { readonly found: Found; readonly entry: DeviceEntry | undefined }) {
  const { step, externalId, isSupported } = found;
  const [isNamed, setIsNamed] = useState(false);
  const device = entry?.device.value;
  if (step !== 'interview_done' || device === undefined) {
    const isFailed = step === 'interview_failed';
    return (
      <div class="found-head" data-failed={isFailed}>
        <Icon name={isFailed ? 'warning' : 'device'} />
        <span class="row-text">
          <span class="row-title">{t.pairing.steps[step]}</span>
          <bdi class="row-note">{isFailed ? t.pairing.failedHint : externalId}</bdi>
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
          <bdi class="row-title">{isNamed ? device.name : enumWords(device.type)}</bdi>
          <bdi class="row-note">{isNamed ? (device.room?.name ?? t.home.noRoom) : makerOf(device)}</bdi>
        </span>
        {isNamed ? (
          <a class="button" href={`/device/${device.selector}`}>
            {t.pairing.toDevice}
          </a>
        ) : null}
      </div>
      {isSupported ? null : <p class="field-hint">{t.pairing.unsupported}</p>}
      {isNamed ? null : <NameAndRoom device={device} proposal={proposalFor(device)} onSaved={() => setIsNamed(true)} />}
    </>
  );
}

function makerOf({ manufacturer, model, external_id }: Device): string {
  return [manufacturer, model].filter((word) => word !== null).join(' ') || external_id;
}

/** What it is, where its own name is but an address. */
function proposalFor(device: Device): string {
  if (device.name !== device.external_id) return device.name;
  return device.type === 'other' ? makerOf(device) : enumWords(device.type);
}
