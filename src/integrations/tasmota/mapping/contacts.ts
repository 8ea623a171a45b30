import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { Announcement } from '#integrations/tasmota/announcement.ts';
import { flagFrom, type Source } from './source.ts';

/** The vocabulary's words for what is done to a button. */
const ACTIONS: ReadonlyMap<string, Omit<Occurrence, 'raw'>> = new Map([
  ['SINGLE', { action: 'single', count: 1 }],
  ['DOUBLE', { action: 'double', count: 2 }],
  ['TRIPLE', { action: 'triple', count: 3 }],
  ['QUAD', { action: 'many', count: 4 }],
  ['PENTA', { action: 'many', count: 5 }],
  ['HOLD', { action: 'hold' }],
  ['TOGGLE', { action: 'press' }],
]);
const BUTTON = ['single', 'double', 'triple', 'many', 'hold'];
/** Not an action: it says that a press is over that meant nothing. */
const CLEAR = 'CLEAR';
const WORD = /^[A-Z][A-Z0-9_]{0,31}$/;

/** Buttons and switches at the device. */
export function contactSources({ buttons, switches, words }: Announcement): Source[] {
  const ofButtons = buttons.map((number): Source => {
    const component = `button_${number}`;
    return {
      feature: wordFeature('button', component, { options: BUTTON }),
      names: [`Button${number}`],
      readEvent: readAction,
    };
  });
  const ofSwitches = switches.flatMap(({ number, key, name, tells }): Source[] => {
    const component = `switch_${number}`;
    const title = name === null ? {} : { name };
    const press: Source = {
      feature: wordFeature('button', component, { options: null, ...title }),
      names: [key],
      readEvent: (told) => (isWordOf(words, told['Action']) ? undefined : readAction(told)),
    };
    const state: Source = {
      feature: ownFeature('input', component, { valueType: 'boolean', category: 'primary', ...title }),
      names: [key],
      read: (known) => {
        const told = known.get(key);
        // With what was done to it, or as it is.
        const word = typeof told === 'object' && told !== null && 'Action' in told ? told['Action'] : told;
        return flagFrom(words, word);
      },
    };
    return tells === 'press' ? [{ ...press, readEvent: readAction }] : tells === 'state' ? [state] : [state, press];
  });
  return [...ofButtons, ...ofSwitches];
}

/** The words for the state of a switch that has one too are no press. */
function isWordOf({ on, off }: Announcement['words'], word: JsonValue | undefined): boolean {
  return word === on || word === off;
}

function readAction({ Action: raw }: JsonObject): Occurrence | undefined {
  if (typeof raw !== 'string' || raw === CLEAR || !WORD.test(raw)) return undefined;
  return { ...(ACTIONS.get(raw) ?? { action: raw.toLowerCase() }), raw };
}
