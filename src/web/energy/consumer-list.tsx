import type { EnergyAnswer } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { amountWords, shareWords } from '#web/strings/amount-words.ts';
import { type ConsumerRow, consumerRows, greatestUse, totalOf } from './energy-consumers.ts';
import { presentPower } from './energy-now.tsx';
import { amountNotes, totalWords } from './energy-table.tsx';

type Props = {
  readonly answer: EnergyAnswer;
  readonly nameOf: (consumer: Pick<ConsumerRow, 'series' | 'name'>) => string;
};

/** Who used how much, and what no consumer shows. */
export function ConsumerList({ answer, nameOf }: Props) {
  const { total } = answer;
  const rows = consumerRows(answer);
  if (rows.length === 0) return null;
  const greatest = greatestUse(rows, total.untracked);
  // Where the meters contradict each other, a share of the home would be a lie.
  const home = total.mismatch === 0 && total.home !== null && total.home > 0 ? total.home : null;
  const shareOf = (amount: number | null): string | null =>
    home === null || amount === null
      ? null
      : energyWords.shareOfHome(shareWords(Math.min(1, Math.max(0, amount / home))));
  return (
    <section class="panel">
      <h2 class="panel-title">{energyWords.consumers}</h2>
      {total.mismatch !== null && total.mismatch > 0 ? (
        <Notice tone="warn" text={energyWords.mismatch(amountWords(total.mismatch, 'kWh'))} />
      ) : null}
      <ul class="energy-consumers">
        {rows.map((row) => (
          <Row
            key={row.series}
            name={nameOf(row)}
            amount={totalWords(row.amount, 'kWh')}
            length={(totalOf(row.amount) ?? 0) / (greatest || 1)}
            notes={[
              row.parent === null ? null : energyWords.within(nameOf(row.parent)),
              ...amountNotes(row.amount, 'kWh'),
              shareOf(totalOf(row.amount)),
            ]}
            series={row.series}
            isInner={row.parent !== null}
          />
        ))}
        {total.untracked !== null && total.mismatch === 0 ? (
          <Row
            name={energyWords.untracked}
            amount={amountWords(total.untracked, 'kWh')}
            length={total.untracked / (greatest || 1)}
            notes={[energyWords.untrackedHint, shareOf(total.untracked)]}
            isRest
          />
        ) : null}
      </ul>
    </section>
  );
}

type RowProps = {
  readonly name: string;
  readonly amount: string;
  readonly length: number;
  readonly notes: readonly (string | null)[];
  readonly series?: string;
  readonly isInner?: boolean;
  readonly isRest?: boolean;
};

function Row({ name, amount, length, notes, series, isInner = false, isRest = false }: RowProps) {
  const { home } = useHub();
  const device = series === undefined ? undefined : home.find(series.slice(0, series.indexOf('/')))?.device.value;
  const power = series === undefined ? undefined : presentPower(device, series);
  const words = [...notes, power === undefined ? null : energyWords.nowUses(power)].filter((note) => note !== null);
  return (
    <li data-inner={isInner || undefined}>
      <span class="energy-consumer">
        <bdi>{device === undefined ? name : <a href={`/device/${device.selector}`}>{name}</a>}</bdi>
        <span class="energy-amount">{amount}</span>
      </span>
      <span class="energy-use" aria-hidden="true">
        <span data-part={isRest ? 'rest' : 'consumers'} style={{ width: `${length * 100}%` }} />
      </span>
      {words.length === 0 ? null : <span class="row-note">{words.join(' · ')}</span>}
    </li>
  );
}
