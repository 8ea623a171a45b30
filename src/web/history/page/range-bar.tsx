import { Choices } from '#web/form/choices.tsx';
import type { Range } from '#web/history/stretches.ts';
import type { Moments, Span } from '#web/history/time-axis.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { history as historyWords } from '#web/strings/en/history.ts';
import { type HistoryAddress, moved, withSpan } from './history-address.ts';

type Props = {
  readonly address: HistoryAddress;
  readonly span: Span;
  /** `undefined` until the hub has answered: only then is the time of the hub known. */
  readonly range: Range | undefined;
  readonly moments: Moments;
  readonly onShow: (change: Partial<HistoryAddress>) => void;
};

const SPAN_NAMES: readonly Span[] = ['night', 'day', 'week', 'month', 'year'];

/** Which time is shown, and the way to the one before and the one after. */
export function RangeBar({ address, span, range, moments, onShow }: Props) {
  const { time } = useHub();
  const nowMs = time.nowMs.value;
  const to = (step: -1 | 1): HistoryAddress | null =>
    range === undefined ? null : moved(address, { range, nightBefore: moments.nightBefore, step, nowMs });
  const [before, after] = [to(-1), to(1)];
  return (
    <div class="range-bar">
      <Choices
        label={historyWords.span}
        names={SPAN_NAMES}
        words={historyWords.spans}
        chosen={span === 'hours' ? null : span}
        onChoose={(chosen) => onShow(withSpan(address, chosen, moments.nightBefore(nowMs)))}
      />
      <div class="range-steps">
        <button
          type="button"
          class="button button-icon"
          aria-label={historyWords.earlier}
          aria-disabled={before === null}
          onClick={() => before === null || onShow(before)}
        >
          <Icon name="back" />
        </button>
        <span class="range-words" role="status">
          {range === undefined
            ? ''
            : historyWords.between(moments.shortWords(range.fromMs, span), moments.shortWords(range.toMs, span))}
        </span>
        <button
          type="button"
          class="button button-icon"
          aria-label={historyWords.later}
          aria-disabled={after === null}
          onClick={() => after === null || onShow(after)}
        >
          <Icon name="forward" />
        </button>
      </div>
    </div>
  );
}
