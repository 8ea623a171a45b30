import type { EnergyAmount, EnergyAnswer, EnergyBucket } from '#web/client/api.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { amountWords, moneyWords, shareWords } from '#web/strings/amount-words.ts';
import type { Flow } from './energy-bars.ts';
import { totalOf } from './energy-consumers.ts';
import type { PartNames } from './energy-period.ts';

type Props = {
  readonly answer: EnergyAnswer;
  readonly title: string;
  readonly names: PartNames;
  readonly nameOf: (index: number) => string;
};

/** Shows part by part what the charts show and the consumers used. */
export function EnergyTable({ answer, title, names, nameOf }: Props) {
  const { flows, consumers, buckets, total } = answer;
  const hasHome = total.home !== null;
  const hasCost = total.cost.length > 0;
  return (
    // What scrolls can be reached with the keyboard.
    <div class="history-table energy-table" role="region" aria-label={energyWords.tableLabel(title)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{energyWords.columns.time}</th>
            {flows.map((flow) => (
              <th key={flow} scope="col">
                {energyWords.flows[flow]}
              </th>
            ))}
            {hasHome ? <th scope="col">{energyWords.columns.home}</th> : null}
            {consumers.map(({ series }, index) => (
              <th key={series} scope="col">
                <bdi>{nameOf(index)}</bdi>
              </th>
            ))}
            {hasCost ? <th scope="col">{energyWords.columns.cost}</th> : null}
            {flows.length > 0 ? <th scope="col">{energyWords.columns.known}</th> : null}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <tr key={bucket.at}>
              <th scope="row">{names.words(bucket)}</th>
              {flows.map((flow) => (
                <td key={flow}>{cellWords(bucket[flow], unitOf(flow))}</td>
              ))}
              {hasHome ? (
                <td>{bucket.home === null ? energyWords.notKnown : amountWords(bucket.home, 'kWh')}</td>
              ) : null}
              {consumers.map(({ series }, index) => (
                <td key={series}>{cellWords(bucket.consumers[index] ?? null, 'kWh')}</td>
              ))}
              {hasCost ? <td>{costWords(bucket)}</td> : null}
              {flows.length > 0 ? <td>{shareWords(bucket.known)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function unitOf(flow: Flow): 'kWh' | 'm3' {
  return flow === 'gas' || flow === 'water' ? 'm3' : 'kWh';
}

/** An amount with what a reader must know of it. */
export function cellWords(amount: EnergyAmount | null, unit: 'kWh' | 'm3'): string {
  return [totalWords(amount, unit), ...amountNotes(amount, unit)].join(', ');
}

export function totalWords(amount: EnergyAmount | null, unit: 'kWh' | 'm3'): string {
  const total = totalOf(amount);
  return total === null ? energyWords.notKnown : amountWords(total, unit);
}

/** How sure an amount is. */
export function amountNotes(amount: EnergyAmount | null, unit: 'kWh' | 'm3'): readonly string[] {
  if (amount === null) return [];
  return [
    ...(amount.in_gap > 0 ? [energyWords.ofGaps(amountWords(amount.in_gap, unit))] : []),
    ...(amount.estimated ? [energyWords.estimated] : []),
  ];
}

function costWords({ cost }: EnergyBucket): string {
  return cost.map(({ total, currency }) => moneyWords(total, currency)).join(', ');
}
