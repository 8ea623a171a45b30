import type { Mode, ModeChangedData, Presence, PresenceChangedData } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { type Mirror, type MirrorSource, mirrorOf } from '#web/state/mirror.ts';

const MODES: MirrorSource<readonly Mode[]> = {
  path: '/mode',
  about: 'mode.',
  after: (modes, { data }) => {
    const { mode, gone } = data as ModeChangedData;
    if (gone) return modes.filter(({ key }) => key !== mode.key);
    const isKnown = modes.some(({ key }) => key === mode.key);
    return isKnown ? modes.map((one) => (one.key === mode.key ? mode : one)) : undefined;
  },
};
const PRESENCE: MirrorSource<Presence> = {
  path: '/presence',
  about: 'presence.',
  after: ({ people = [] }, { data }) => {
    const { presence } = data as PresenceChangedData;
    if (!people.some(({ user }) => user.id === presence.user.id)) return undefined;
    const now = people.map((one) => (one.user.id === presence.user.id ? presence : one));
    return { anyone: anyoneOf(now.map(({ state }) => state)), people: now };
  },
};

export const useModes = (): Mirror<readonly Mode[]> => mirrorOf(useHub(), MODES);
export const usePresence = (): Mirror<Presence> => mirrorOf(useHub(), PRESENCE);

/** As the hub counts: one is enough for `home`, and all are needed for `away`. */
function anyoneOf(states: readonly Presence['anyone'][]): Presence['anyone'] {
  if (states.includes('home')) return 'home';
  return states.length > 0 && states.every((state) => state === 'away') ? 'away' : 'unknown';
}
