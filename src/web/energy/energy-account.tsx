import type { EnergyAmount, EnergyAnswer, EnergyCost } from '#web/client/api.ts';
import { PRICED_FLOWS } from '#web/client/vocabulary.ts';
import { Facts } from '#web/parts/facts.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { amountWords, moneyWords, shareWords } from '#web/strings/amount-words.ts';
import type { Flow } from './energy-bars.ts';
import { cellWords, unitOf } from './energy-table.tsx';

/** Shows what flowed in the whole time, and how much of it is known. */
export function EnergyAccount({ answer: { flows, total } }: { readonly answer: EnergyAnswer }) {
  const { known } = total;
  const shown = [...flows.map((flow) => total[flow]), ...total.consumers].filter((amount) => amount !== null);
  const isEstimated = shown.some(({ estimated }) => estimated);
  const hasGaps = shown.some(({ in_gap: inGap }) => inGap > 0);
  const energyFlows = flows.filter((flow) => unitOf(flow) === 'kWh');
  const factOf = (flow: Flow): readonly [string, string] => [
    energyWords.flows[flow],
    cellWords(total[flow], unitOf(flow)),
  ];
  return (
    <>
      {flows.length === 0 ? null : (
        <Facts
          title={energyWords.account}
          facts={[
            [energyWords.home, total.home === null ? null : amountWords(total.home, 'kWh')],
            ...flows.map(factOf),
            [energyWords.selfUse, total.self_use === null ? null : shareWords(total.self_use)],
            [energyWords.autarky, total.autarky === null ? null : shareWords(total.autarky)],
          ]}
        />
      )}
      {energyFlows.length === 0 || known >= 0.995 ? null : (
        <Notice tone="warn" text={energyWords.known(shareWords(known), shareWords(1 - known))} />
      )}
      {isEstimated ? <p class="soft energy-hint">{energyWords.estimatedHint}</p> : null}
      {hasGaps ? <p class="soft energy-hint">{energyWords.gapHint}</p> : null}
    </>
  );
}

/** Shows what it cost; nothing where no tariff has a price. */
export function EnergyCosts({ answer: { total } }: { readonly answer: EnergyAnswer }) {
  const unpriced = PRICED_FLOWS.flatMap((flow) => {
    const amount: EnergyAmount | null = total[flow];
    const without = amount?.unpriced ?? 0;
    return without > 0 ? [energyWords.amountOf(energyWords.flows[flow], amountWords(without, unitOf(flow)))] : [];
  });
  if (total.cost.length === 0) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{energyWords.cost}</h2>
      {total.cost.map((cost) => (
        <Cost key={cost.currency} cost={cost} />
      ))}
      {unpriced.length === 0 ? null : <p class="soft energy-hint">{energyWords.unpriced(unpriced)}</p>}
    </section>
  );
}

function Cost({ cost }: { readonly cost: EnergyCost }) {
  const money = (amount: number): string => moneyWords(amount, cost.currency);
  const parts = PRICED_FLOWS.filter((flow) => cost[flow] !== 0);
  return (
    <>
      <dl class="facts">
        <div class="energy-total">
          <dt>{cost.total < 0 ? energyWords.earned : energyWords.total}</dt>
          <dd>{money(Math.abs(cost.total))}</dd>
        </div>
        {parts.length < 2 && cost.export === 0
          ? null
          : parts.map((flow) => (
              <div key={flow}>
                <dt>{energyWords.costOf[flow]}</dt>
                <dd>{money(cost[flow])}</dd>
              </div>
            ))}
      </dl>
      {cost.in_gap === 0 ? null : <p class="soft energy-hint">{energyWords.costInGap(money(cost.in_gap))}</p>}
    </>
  );
}
