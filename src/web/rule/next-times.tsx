import type { AutomationFiring } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import type { Coming } from './coming-up.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { timeWords } from '#web/strings/formats.ts';
import { localTime } from '#web/strings/hub-zone.ts';

type Props = { readonly next: readonly AutomationFiring[] };
const SHOWN = 5;

/** When the clock or the sun starts it next. */
export function NextTimes({ next }: Props) {
  const soon = useSoon();
  return (
    <section class="panel">
      <h3 class="panel-title">{rulePageWords.nextTimes}</h3>
      <ol class="rule-times">
        {next.slice(0, SHOWN).map(({ at, trigger, dst }) => (
          <li key={`${at} ${trigger}`}>
            {soon(at)}
            {dst === 'none' ? null : <span class="soft"> ({rulePageWords.dst[dst]})</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Shows what the clock or the sun starts within a day: each automation once. */
export function Upcomings({ coming }: { readonly coming: readonly Coming[] }) {
  const soon = useSoon();
  if (coming.length === 0) return null;
  return (
    <section>
      <h2 class="rows-title">{rulePageWords.comesNext}</h2>
      <ol class="rows">
        {coming.map(({ rule: { id, selector, name }, times, isAll }) => (
          <li key={id} class="row">
            <a class="row-text scene-link" href={`/rule/${selector}`}>
              <bdi class="row-title">{name}</bdi>
              <span class="row-note">{[...timesOfDay(times, soon), ...(isAll ? [] : ['…'])].join(', ')}</span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

const DAY_MS = 86_400_000;

/** The day is said once for times of the same day. */
function timesOfDay(times: readonly string[], soon: (at: string) => string): readonly string[] {
  const days = times.map((at) => localTime(at).slice(0, 10));
  return times.map((at, index) => (index > 0 && days[index] === days[index - 1] ? timeWords(at, 'clock') : soon(at)));
}

/** `today 15:57`, `tomorrow 07:00`, `Mon, 24 Nov, 07:00`: days ahead need their weekday. */
export function useSoon(): (at: string) => string {
  const { time } = useHub();
  return (at) => {
    const [day, today] = [localTime(at), localTime(time.nowMs.value)].map((one) => Date.parse(one.slice(0, 10)));
    const words = [rulePageWords.today, rulePageWords.tomorrow][((day ?? 0) - (today ?? 0)) / DAY_MS];
    return words === undefined ? timeWords(at, 'weekdayAndClock') : words(timeWords(at, 'clock'));
  };
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
