import { adoptZone } from '#web/strings/hub-zone.ts';
import { useMemo, useState } from 'preact/hooks';
import type { Hub, HubClock, Location, Upcoming } from '#web/client/api.ts';
import { numberFrom } from '#web/form/number-from.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Facts } from '#web/parts/facts.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { welcome as welcomeWords } from '#web/strings/en/home/welcome.ts';
import { place as placeWords } from '#web/strings/en/place.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { formatLocale } from '#web/strings/formats.ts';
import { clockWords, momentWords } from '#web/strings/measure-words.ts';
import { Calendars } from './calendars.tsx';
import { citiesNear, cityOf, useCities, useZones } from './time-zones.ts';

/** Where the home is, what time it is there, and which days are no workdays: what times of automations go by. */
export function PlacePage() {
  const hub = useReading<Hub>('/hub', { everyMs: 60_000 });
  const upcoming = useReading<Upcoming>('/calendar_day');
  const again = async (): Promise<void> => {
    await Promise.all([hub.again(), upcoming.again()]);
  };
  return (
    <div class="page narrow">
      <PageHead title={placeWords.title} back={{ href: '/settings', label: settingsWords.back }} />
      <p class="soft">{placeWords.text}</p>
      <ReadingView of={hub} rows={2}>
        {(found) => (
          <>
            <ClockPanel hub={found} onChanged={again} />
            <ZoneForm key={found.time_zone} hub={found} onChanged={again} />
          </>
        )}
      </ReadingView>
      <PlaceForm zone={hub.value?.time_zone ?? 'UTC'} sun={upcoming.value?.sun ?? null} onChanged={upcoming.again} />
      <Calendars days={upcoming.value?.days ?? []} onChanged={upcoming.again} />
    </div>
  );
}

type ChangeProps = { readonly hub: Hub; readonly onChanged: () => Promise<void> };

/** Without a time server the hub waits with times until a person says what time it is. */
function ClockPanel({ hub: { clock }, onChanged }: ChangeProps) {
  const { client, messages } = useHub();
  const form = useForm(['now']);
  const take = async (): Promise<void> => {
    const now = new Date().toISOString();
    const set = await client.call<HubClock>('POST', '/hub/clock', { now });
    messages.show(placeWords.clockSet(clockWords(set.now)));
    await onChanged();
  };
  const fault = form.faults['now'] ?? form.faults['all'];
  return (
    <section class="form">
      <Facts
        title={placeWords.clock}
        facts={[
          [placeWords.now, momentWords(clock.now)],
          [placeWords.source, placeWords.sources[clock.source]],
        ]}
      />
      {clock.source === 'none' ? <Notice tone="warn" text={placeWords.unset} /> : null}
      {fault === undefined ? null : <Notice tone="danger" text={fault} />}
      {clock.source === 'synced' ? null : (
        <button type="button" class="button" aria-disabled={form.isBusy} onClick={() => form.submit(take)}>
          {placeWords.takeTime}
        </button>
      )}
    </section>
  );
}

function ZoneForm({ hub: { time_zone: zone }, onChanged }: ChangeProps) {
  const { client, messages } = useHub();
  const form = useForm(['time_zone']);
  const chosen = useField(form, 'time_zone', zone ?? '');
  const zones = useZones(zone ?? 'UTC');
  const options = zones.includes(chosen.value) ? zones : [chosen.value, ...zones];
  return (
    <PanelForm
      form={form}
      submit={settingsWords.save}
      isIdle={chosen.value === (zone ?? '')}
      onSubmit={async () => {
        await client.call('PATCH', '/hub', { time_zone: chosen.value });
        adoptZone(chosen.value);
        messages.show(placeWords.zoneSaved(chosen.value));
        await onChanged();
      }}
    >
      <SelectField
        label={placeWords.zone}
        options={options.map((one) => [one, one.replaceAll('_', ' ')])}
        hint={placeWords.zoneHint}
        {...chosen}
      />
    </PanelForm>
  );
}

type PlaceProps = {
  readonly zone: string;
  readonly sun: Upcoming['sun'];
  readonly onChanged: () => Promise<void>;
};

function PlaceForm({ zone, sun, onChanged }: PlaceProps) {
  const { client } = useHub();
  // Without a place the hub refuses the call, which is no fault of this page.
  const [turn, setTurn] = useState(0);
  const saved = useReading<Location>('/hub/location');
  const again = async (): Promise<void> => {
    await Promise.all([saved.again(), onChanged()]);
    setTurn(turn + 1);
  };
  const known = saved.fault === undefined ? saved.value : undefined;
  return (
    <>
      <LocationFields
        key={`${turn} ${known?.latitude ?? ''} ${known?.longitude ?? ''}`}
        zone={zone}
        location={known}
        onSaved={again}
      />
      {sun === null ? null : (
        <p class="soft">
          {placeWords.sunToday(sun.sunrise && clockWords(sun.sunrise), sun.sunset && clockWords(sun.sunset))}
        </p>
      )}
      {known === undefined ? null : (
        <button
          type="button"
          class="button button-danger"
          onClick={() => void client.call('DELETE', '/hub/location').then(again)}
        >
          {placeWords.forget}
        </button>
      )}
    </>
  );
}

/** As a person of the page's language types them. */
const degreesOf = (degrees: number | undefined): string =>
  degrees === undefined ? '' : degrees.toLocaleString(formatLocale(), { maximumFractionDigits: 6, useGrouping: false });

type FieldsProps = {
  readonly zone: string;
  readonly location: Location | undefined;
  readonly onSaved: () => Promise<void>;
};

function LocationFields({ zone, location, onSaved }: FieldsProps) {
  const { client, messages } = useHub();
  const form = useForm(['latitude', 'longitude']);
  const latitude = useField(form, 'latitude', degreesOf(location?.latitude));
  const longitude = useField(form, 'longitude', degreesOf(location?.longitude));
  const cities = useCities();
  const near = useMemo(() => citiesNear(cities ?? {}, zone), [cities, zone]);
  const isAt = (key: string): boolean =>
    latitude.value === degreesOf(cities?.[key]?.[0]) && longitude.value === degreesOf(cities?.[key]?.[1]);
  const isSame = latitude.value === degreesOf(location?.latitude) && longitude.value === degreesOf(location?.longitude);
  const save = async (): Promise<void> => {
    const elevation = location?.elevation_m ?? null;
    await client.call<Location>('PUT', '/hub/location', {
      latitude: numberFrom(latitude.value),
      longitude: numberFrom(longitude.value),
      elevation_m: elevation,
    });
    messages.show(placeWords.placeSaved);
    await onSaved();
  };
  return (
    <PanelForm
      form={form}
      title={placeWords.place}
      text={placeWords.placeText}
      submit={settingsWords.save}
      isIdle={isSame}
      needed={{ latitude: latitude.value, longitude: longitude.value }}
      onSubmit={save}
    >
      {near.length === 0 ? null : (
        <SelectField
          label={welcomeWords.home.city}
          value={near.find(isAt) ?? ''}
          options={[['', settingsWords.setting.choose], ...near.map((key) => [key, cityOf(key)] as const)]}
          onValue={(key) => {
            latitude.onValue(degreesOf(cities?.[key]?.[0]));
            longitude.onValue(degreesOf(cities?.[key]?.[1]));
          }}
        />
      )}
      <TextField
        label={placeWords.latitude}
        hint={placeWords.latitudeHint}
        {...latitude}
        input={{ inputMode: 'decimal', maxLength: 12 }}
      />
      <TextField
        label={placeWords.longitude}
        hint={placeWords.longitudeHint}
        {...longitude}
        input={{ inputMode: 'decimal', maxLength: 12 }}
      />
    </PanelForm>
  );
}
