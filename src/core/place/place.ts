/** Where the home is, in degrees; rounded, see `roundLocation`. */
export type Location = {
  readonly latitude: number;
  readonly longitude: number;
  /** Above the sea. */
  readonly elevationM: number | null;
};

/** Civil times depend on where the home is, and on which days are free. */
export type Place = {
  /** `undefined`: nobody said where the home is. Private: only owners and admins may see it. */
  readonly location: () => Location | undefined;
  /** Whether a calendar makes this date, as `2026-12-25`, no workday. */
  readonly isFree: (date: string) => boolean;
  /** Called when any of this changed, or the time zone. The returned function removes the listener. */
  readonly subscribe: (listener: () => void) => () => void;
};

const PLACES_PER_DEGREE = 100;
const ELEVATION_STEP_M = 10;

/** To 0.01° (1.1 km) and 10 m: the sun needs no more, and more would name the house. */
export function roundLocation({ latitude, longitude, elevationM }: Location): Location {
  const round = (degrees: number): number => Math.round(degrees * PLACES_PER_DEGREE) / PLACES_PER_DEGREE || 0;
  return {
    latitude: round(latitude),
    longitude: round(longitude),
    elevationM: elevationM === null ? null : Math.round(elevationM / ELEVATION_STEP_M) * ELEVATION_STEP_M || 0,
  };
}
