import { lockedIn } from '#core/feature/lock-state.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import { textIn } from '#integrations/home-assistant-discovery/message/config.ts';
import {
  codeOf,
  controlDetails,
  listening,
  neighbourOf,
  pressOf,
  publicationTo,
  type EntityMaker,
} from '#integrations/home-assistant-discovery/entity/building.ts';
import { entityOf, type Part, UNKNOWN } from '#integrations/home-assistant-discovery/entity/entity.ts';
import { patternCheck } from '#integrations/home-assistant-discovery/entity/field.ts';
import { readingOf, writingOf } from '#integrations/home-assistant-discovery/entity/incoming.ts';

/** As Home Assistant 2025.4 has them. */
const STATES = ['jammed', 'locked', 'locking', 'open', 'opening', 'unlocked', 'unlocking'];

export const lock: EntityMaker = (config, place, deps) => {
  const { component } = place;
  const payloads = new Map([
    ['lock', textIn(config, 'payload_lock') ?? 'LOCK'],
    ['unlock', textIn(config, 'payload_unlock') ?? 'UNLOCK'],
  ]);
  const open = textIn(config, 'payload_open');
  const words = new Map<string, string>();
  for (const state of STATES) {
    const said = textIn(config, `state_${state}`) ?? state.toUpperCase();
    // Where two words are the same, locked counts.
    if (!words.has(said) || state === 'locked') words.set(said, state);
  }
  const read = readingOf(config, 'value_template', deps);
  const reset = textIn(config, 'payload_reset') ?? UNKNOWN;
  // In a state of which the message has no word it may be anything, and so not locked.
  const heard = (report: (state: string | null) => boolean | string | null): Part['listens'] =>
    listening(config, 'state_topic', (message) => {
      const said = read(message) ?? '';
      if (said.trim() === '') return undefined;
      return { value: report(said === reset ? null : (words.get(said) ?? null)) };
    });
  const locked: Part = {
    feature: wordFeature('locked', component, controlDetails(config, place)),
    listens: heard(lockedIn),
  };
  const state: Part = {
    feature: neighbourOf(place, wordFeature('lock_state', component, { options: STATES })),
    listens: heard((word) => word),
  };
  const codeFormat = textIn(config, 'code_format');
  const fits = codeFormat === undefined ? undefined : patternCheck(codeFormat, deps);
  const code = codeOf(place, 'lock_code');
  const latch: Part = { feature: pressOf(place, 'open', { name: 'Open' }), listens: new Map() };
  const publication = publicationTo(config);
  const write = writingOf(config, 'command_template', deps);
  const parts = [
    locked,
    ...(state.listens.size > 0 ? [state] : []),
    ...(fits === undefined ? [] : [code]),
    ...(open === undefined ? [] : [latch]),
  ];
  return entityOf(parts, {
    publishTogether: (wishes) => {
      const wanted = wishes.get(locked.feature.key);
      const payload = wishes.has(latch.feature.key)
        ? open
        : typeof wanted === 'boolean'
          ? payloads.get(wanted ? 'lock' : 'unlock')
          : undefined;
      const given = wishes.get(code.feature.key) ?? null;
      if (payload === undefined || (given !== null && typeof given !== 'string')) return undefined;
      if (fits !== undefined && !fits(given ?? '')) return undefined;
      return [publication(write(payload, payload, new Map([['code', given]])))];
    },
  });
};
