import { useState } from 'preact/hooks';
import { Choice } from '#web/form/choice.tsx';
import type { FieldFaults } from '#web/form/field-faults.ts';
import { numberFrom } from '#web/form/number-from.ts';
import { TextField } from '#web/form/text-field.tsx';
import { useCities } from '#web/place/time-zones.ts';
import { welcome as welcomeWords } from '#web/strings/en/home/welcome.ts';
import { place as placeWords } from '#web/strings/en/place.ts';

type Way = 'near' | 'exact' | 'later';

/** Where the home is, as the person chooses it. */
type PlaceChoice = {
  readonly way: Way;
  readonly choose: (way: Way) => void;
  readonly latitude: string;
  readonly setLatitude: (text: string) => void;
  readonly longitude: string;
  readonly setLongitude: (text: string) => void;
  /** Whether the time zone has a city: UTC has none. */
  readonly hasCity: boolean;
  /** `null` for later. */
  readonly coordinates: () => { readonly latitude: unknown; readonly longitude: unknown } | null;
};

export function usePlaceChoice(zone: string): PlaceChoice {
  const [wanted, choose] = useState<Way>('near');
  const [latitude, setLatitude] = useState('');
  const [longitude, setLongitude] = useState('');
  const cities = useCities();
  const city = cities === undefined ? undefined : (cities[zone] ?? null);
  const way = wanted === 'near' && city === null ? 'later' : wanted;
  return {
    way,
    choose,
    latitude,
    setLatitude,
    longitude,
    setLongitude,
    hasCity: city !== null,
    coordinates: () => {
      if (way === 'exact') return { latitude: numberFrom(latitude), longitude: numberFrom(longitude) };
      return way === 'near' && city !== undefined && city !== null ? { latitude: city[0], longitude: city[1] } : null;
    },
  };
}

type Props = { readonly zone: string; readonly place: PlaceChoice; readonly faults: FieldFaults };

/** Near the main city of the time zone, by coordinates, or later. */
export function PlaceFields({ zone, place, faults }: Props) {
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
      {option('exact', welcomeWords.home.exact)}
      {place.way === 'exact' ? (
        <div class="first-coordinates">
          <TextField
            label={placeWords.latitude}
            value={place.latitude}
            onValue={place.setLatitude}
            hint={placeWords.latitudeHint}
            error={faults['latitude']}
            input={{ inputMode: 'decimal', maxLength: 12 }}
          />
          <TextField
            label={placeWords.longitude}
            value={place.longitude}
            onValue={place.setLongitude}
            hint={placeWords.longitudeHint}
            error={faults['longitude']}
            input={{ inputMode: 'decimal', maxLength: 12 }}
          />
        </div>
      ) : null}
      {option('later', welcomeWords.home.later, welcomeWords.home.laterNote)}
    </fieldset>
  );
}

/** `America/Argentina/Buenos_Aires` → `Buenos Aires`. */
function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
