import type { EnergyAnswer } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { e } from '#web/strings/energy-strings.ts';
import { choicesOf } from './series-choices.ts';

/** What the view needs before it can show anything, and the way there. */
export function EnergyEmpty({ answer }: { readonly answer: EnergyAnswer }) {
  const { account, home } = useHub();
  // Hours were settled: a time without any amount is then just unknown.
  if (answer.settled_until !== null) return <p class="panel soft">{e.nothingKnown}</p>;
  const fitting = new Set(choicesOf(home.entries.value, 'energy').map(({ device }) => device)).size;
  const canManage = account.can('hub:manage');
  return (
    <section class="panel energy-empty">
      <h2>{e.needsTitle}</h2>
      <p>{e.needs}</p>
      <p class="soft">{fitting === 0 ? e.nothingFits : e.fits(fitting)}</p>
      {canManage ? (
        <div class="row-buttons">
          {fitting > 0 ? null : (
            <a class="button" href="/add">
              {e.addDevice}
            </a>
          )}
          <a class="button button-main" href="/settings/energy">
            {e.setUp}
          </a>
        </div>
      ) : (
        <p>{e.askAdmin}</p>
      )}
    </section>
  );
}
