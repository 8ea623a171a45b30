import type { AutomationFiring, UpcomingFiring } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { timeWords } from '#web/strings/formats.ts';

type Props = { readonly next: readonly AutomationFiring[] };
const SHOWN = 5;

/** When the clock or the sun starts it next. */
export function NextTimes({ next }: Props) {
  return (
    <section class="panel">
      <h3 class="panel-title">{rulePageWords.nextTimes}</h3>
      <ol class="rule-times">
        {next.slice(0, SHOWN).map(({ at, trigger, dst }) => (
          <li key={`${at} ${trigger}`}>
            {soonWords(at)}
            {dst === 'none' ? null : <span class="soft"> ({rulePageWords.dst[dst]})</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Shows what the clock or the sun starts next, of all automations. */
export function Upcomings({ firings }: { readonly firings: readonly UpcomingFiring[] }) {
  if (firings.length === 0) return null;
  return (
    <section>
      <h2 class="rows-title">{rulePageWords.comesNext}</h2>
      <ol class="rows">
        {firings.map(({ at, trigger, dst, automation: { id, selector, name } }) => (
          <li key={`${id} ${at} ${trigger}`} class="row">
            <a class="row-text scene-link" href={`/rule/${selector}`}>
              <bdi class="row-title">{name}</bdi>
              <span class="row-note">
                {soonWords(at)}
                {dst === 'none' ? null : ` (${rulePageWords.dst[dst]})`}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** `Mon, 24 Nov, 07:00`: days ahead need their weekday. */
export function soonWords(at: string): string {
  return timeWords(at, 'weekdayAndClock');
}

/** A moment in the words of the hub's own time. */
export function useMoment(): (at: string) => string {
  const { time } = useHub();
  return (at) => {
    const words = time.momentOf(at);
    const clock = timeWords(at, 'clock');
    return words.includes(clock) ? words : `${words}, ${clock}`;
  };
}
