import type { Hub } from '#web/client/api.ts';
import { useReading } from '#web/parts/use-reading.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { useHub } from '#web/hub.ts';
import { FoundThings } from '#web/integrations/add-page.tsx';
import { useDiscoveries } from '#web/readings/use-integrations.ts';
import { useKinds } from '#web/readings/use-kinds.ts';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { welcome as welcomeWords } from '#web/strings/en/home/welcome.ts';
import { FirstSteps } from './first-steps.tsx';
import { useMemo, useState } from 'preact/hooks';
import { chooseOwnLanguage } from '#web/account/own-language.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { type Field, type Form, useField, useForm } from '#web/form/use-form.ts';
import { Notice } from '#web/parts/notice.tsx';
import { citiesNear, cityOf, useZones, useCities } from '#web/place/time-zones.ts';
import { adoptZone, ownZone } from '#web/strings/hub-zone.ts';
import { languageNames } from '#web/strings/language/chosen-language.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { Choice } from '#web/form/choice.tsx';
import { numberFrom } from '#web/form/number-from.ts';
import { place as placeWords } from '#web/strings/en/place.ts';

/** Leads on once a hub has its owner: the name of the home, where it is, and its first devices. */
export function WelcomePage() {
  const { router } = useHub();
  const isDevices = router.place.value.query === 'devices';
  return <main class="gate">{isDevices ? <DevicesStep /> : <HomeStep />}</main>;
}

/** The third step: what is in the network already, and the way to everything else. */
function DevicesStep() {
  const { home } = useHub();
  const { value: kinds = [] } = useKinds();
  const found = useDiscoveries(false);
  const count = home.entries.value.length;
  return (
    <div class="gate-card">
      <FirstSteps present="devices" />
      <PageHead title={welcomeWords.devices.title} />
      <p class="soft">{welcomeWords.devices.intro}</p>
      {count === 0 ? null : (
        <p class="first-present">
          <Icon name="check" />
          {welcomeWords.devices.present(count)}
        </p>
      )}
      {found.value === undefined || found.value.length > 0 ? null : (
        <p class="first-searching">
          <span class="connection-dot pulse" />
          {welcomeWords.devices.searching}
        </p>
      )}
      <FoundThings kinds={kinds} shown={found} />
      <a class="row first-other" href="/add">
        <Icon name="plus" />
        <span class="row-text">
          <span class="row-title">{welcomeWords.devices.other}</span>
          <span class="row-note">{welcomeWords.devices.otherNote}</span>
        </span>
        <Icon name="forward" size={18} />
      </a>
      <a class="button button-main button-wide" href="/">
        {count === 0 ? welcomeWords.devices.later : welcomeWords.devices.toHome}
      </a>
    </div>
  );
}

/** The second step: what the home is called, its language, its time and its sun. */
function HomeStep() {
  const hub = useHub();
  const { account, client, messages, router } = hub;
  const isClockSet = useReading<Hub>('/hub').value?.clock.source !== 'none';
  const form = useForm(['name', 'time_zone', 'latitude', 'longitude']);
  const name = useField<string>(form, 'name', welcomeWords.home.nameDefault);
  const zone = useField(form, 'time_zone', ownZone());
  const place = usePlaceChoice(zone.value, form);
  const { faults, isBusy } = form;
  const options = useZones(ownZone());

  const save = async (): Promise<void> => {
    const wanted = { name: name.value.trim(), time_zone: zone.value, language: pageWords.locale };
    const { clock } = await client.call<Hub>('PATCH', '/hub', wanted);
    if (clock.source === 'none') {
      // The clock of this device may be wrong too: that must not keep a person on this step.
      const now = new Date().toISOString();
      const refusal = await wordsIfRefused(() => client.call('POST', '/hub/clock', { now }));
      if (refusal !== undefined) messages.show(refusal, 'danger');
    }
    account.keepHubName(name.value.trim());
    adoptZone(zone.value);
    const at = place.coordinates();
    if (at !== null) await client.call('PUT', '/hub/location', { ...at, elevation_m: null });
    router.go('/welcome?devices', 'replace');
  };
  const { latitude, longitude } = place;
  const needed = {
    name: name.value,
    ...(place.way === 'exact' ? { latitude: latitude.value, longitude: longitude.value } : {}),
  };
  return (
    <FormFrame form={form} class="gate-card" onSubmit={() => form.submit(save, needed)}>
      <FirstSteps present="home" />
      <PageHead title={welcomeWords.home.title} />
      <p class="soft">{welcomeWords.home.intro}</p>
      {faults['all'] === undefined ? null : <Notice tone="danger" text={faults['all']} />}
      <TextField label={welcomeWords.home.name} {...name} autocomplete="off" input={NAME_INPUT} />
      {languageNames().length < 2 ? null : (
        <SelectField
          label={welcomeWords.home.language}
          value={pageWords.locale}
          options={languageNames()}
          onValue={(code) => void chooseOwnLanguage(hub, code)}
        />
      )}
      <SelectField
        label={welcomeWords.home.zone}
        {...zone}
        options={options.map((one) => [one, one.replaceAll('_', ' ')])}
        hint={zone.value === ownZone() ? welcomeWords.home.zoneHint : undefined}
      />
      {isClockSet ? null : <p class="soft">{welcomeWords.home.clock}</p>}
      <PlaceFields zone={zone.value} place={place} />
      <button type="submit" class="button button-main button-wide" aria-disabled={isBusy}>
        {isBusy ? welcomeWords.home.busy : welcomeWords.home.submit}
      </button>
    </FormFrame>
  );
}

type Way = 'near' | 'city' | 'exact' | 'later';

/** Where the home is, as the person chooses it. */
type PlaceChoice = {
  readonly way: Way;
  readonly choose: (way: Way) => void;
  readonly latitude: Field;
  readonly longitude: Field;
  /** Whether the time zone has a city: UTC has none. */
  readonly hasCity: boolean;
  /** Keys of the cities to choose from. */
  readonly cities: readonly string[];
  readonly city: Field;
  /** `null` for later. */
  readonly coordinates: () => { readonly latitude: unknown; readonly longitude: unknown } | null;
};

function usePlaceChoice(zone: string, form: Form): PlaceChoice {
  const [wanted, choose] = useState<Way>('near');
  const [chosen, setChosen] = useState('');
  const latitude = useField(form, 'latitude', '');
  const longitude = useField(form, 'longitude', '');
  const cities = useCities();
  const city = cities === undefined ? undefined : (cities[zone] ?? null);
  const near = useMemo(() => citiesNear(cities ?? {}, zone).filter((key) => key !== zone), [cities, zone]);
  const isThere = wanted === 'near' ? city !== null : wanted !== 'city' || near.length > 0;
  const way = isThere ? wanted : 'later';
  // Another zone has other cities.
  const other = near.includes(chosen) ? chosen : (near[0] ?? '');
  return {
    way,
    choose,
    latitude,
    longitude,
    hasCity: city !== null,
    cities: near,
    city: { value: other, onValue: setChosen, error: undefined },
    coordinates: () => {
      if (way === 'exact') return { latitude: numberFrom(latitude.value), longitude: numberFrom(longitude.value) };
      const at = way === 'near' ? city : way === 'city' ? cities?.[other] : undefined;
      return at === undefined || at === null ? null : { latitude: at[0], longitude: at[1] };
    },
  };
}

type PlaceProps = { readonly zone: string; readonly place: PlaceChoice };

/** Near the main city of the time zone, by coordinates, or later. */
function PlaceFields({ zone, place }: PlaceProps) {
  const option = (way: Way, label: string, note?: string) => (
    <Choice
      type="radio"
      name="place"
      label={label}
      note={note}
      isChosen={place.way === way}
      onChoice={() => place.choose(way)}
    />
  );
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{welcomeWords.home.place}</legend>
      <p class="field-hint">{welcomeWords.home.placeText}</p>
      {place.hasCity ? option('near', welcomeWords.home.near(cityOf(zone)), welcomeWords.home.nearNote) : null}
      {place.cities.length === 0 ? null : option('city', welcomeWords.home.otherCity)}
      {place.way === 'city' ? (
        <SelectField
          label={welcomeWords.home.city}
          {...place.city}
          options={place.cities.map((key) => [key, cityOf(key)])}
        />
      ) : null}
      {option('exact', welcomeWords.home.exact)}
      {place.way === 'exact' ? (
        <div class="first-coordinates">
          <TextField
            label={placeWords.latitude}
            hint={placeWords.latitudeHint}
            {...place.latitude}
            input={{ inputMode: 'decimal', maxLength: 12 }}
          />
          <TextField
            label={placeWords.longitude}
            hint={placeWords.longitudeHint}
            {...place.longitude}
            input={{ inputMode: 'decimal', maxLength: 12 }}
          />
        </div>
      ) : null}
      {option('later', welcomeWords.home.later, welcomeWords.home.laterNote)}
    </fieldset>
  );
}
