import { useState } from 'preact/hooks';
import { chooseOwnLanguage } from '#web/account/own-language.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ownZone, useZones } from '#web/place/time-zones.ts';
import { welcome as welcomeWords } from '#web/strings/en/home/welcome.ts';
import { languageNames } from '#web/strings/language/chosen-language.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { FirstSteps } from './first-steps.tsx';
import { PlaceFields, usePlaceChoice } from './place-choice.tsx';

/** The second step: what the home is called, its language, its time and its sun. */
export function HomeStep() {
  const hub = useHub();
  const { account, client, router } = hub;
  const [name, setName] = useState<string>(welcomeWords.home.nameDefault);
  const [zone, setZone] = useState(ownZone());
  const place = usePlaceChoice(zone);
  const form = useForm(['name', 'time_zone', 'latitude', 'longitude']);
  const { faults, isBusy } = form;
  const zones = useZones();

  const save = async (): Promise<void> => {
    await client.call('PATCH', '/hub', { name: name.trim(), time_zone: zone, language: pageWords.locale });
    account.keepHubName(name.trim());
    const at = place.coordinates();
    if (at !== null) await client.call('PUT', '/hub/location', { ...at, elevation_m: null });
    router.go('/welcome?devices', 'replace');
  };
  const { latitude, longitude } = place;
  const needed = { name, ...(place.way === 'exact' ? { latitude, longitude } : {}) };
  return (
    <FormFrame form={form} class="gate-card" onSubmit={() => form.submit(save, needed)}>
      <FirstSteps present="home" />
      <PageHead title={welcomeWords.home.title} />
      <p class="soft">{welcomeWords.home.intro}</p>
      {faults['all'] === undefined ? null : <Notice tone="danger" text={faults['all']} />}
      <TextField
        label={welcomeWords.home.name}
        value={name}
        onValue={setName}
        error={faults['name']}
        autocomplete="off"
        input={{ maxLength: 100 }}
      />
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
        value={zone}
        options={(zones.includes(zone) ? zones : [zone, ...zones]).map((one) => [one, one.replaceAll('_', ' ')])}
        onValue={setZone}
        hint={zone === ownZone() ? welcomeWords.home.zoneHint : undefined}
        error={faults['time_zone']}
      />
      <PlaceFields zone={zone} place={place} faults={faults} />
      <button type="submit" class="button button-main button-wide" aria-disabled={isBusy}>
        {isBusy ? welcomeWords.home.busy : welcomeWords.home.submit}
      </button>
    </FormFrame>
  );
}
