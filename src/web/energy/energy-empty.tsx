import type { EnergyAnswer } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { choicesOf } from './series-choices.ts';

/** What the view needs before it can show anything, and the way there. */
export function EnergyEmpty({ answer }: { readonly answer: EnergyAnswer }) {
  const { account, home } = useHub();
  // Hours were settled: a time without any amount is then just unknown.
  if (answer.settled_until !== null) return <p class="panel soft">{energyWords.nothingKnown}</p>;
  const fitting = new Set(choicesOf(home.entries.value, 'energy').map(({ device }) => device)).size;
  const canManage = account.can('hub:manage');
  return (
    <section class="panel energy-empty">
      <h2>{energyWords.needsTitle}</h2>
      <p>{energyWords.needs}</p>
      <p class="soft">{fitting === 0 ? energyWords.nothingFits : energyWords.fits(fitting)}</p>
      {canManage ? (
        <div class="row-buttons">
          {fitting > 0 ? null : (
            <a class="button" href="/add">
              {energyWords.addDevice}
            </a>
          )}
          <a class="button button-main" href="/settings/energy">
            {energyWords.setUp}
          </a>
        </div>
      ) : (
        <p>{energyWords.askAdmin}</p>
      )}
    </section>
  );
}
