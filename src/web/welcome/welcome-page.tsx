import { useHub } from '#web/hub.ts';
import { FoundThings } from '#web/integrations/add-page.tsx';
import { useFound, useKinds } from '#web/readings/use-integrations.ts';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { w } from '#web/strings/home/welcome-strings.ts';
import { FirstSteps } from './first-steps.tsx';
import { HomeStep } from './home-step.tsx';

/** What follows once a hub has its owner: what the home is called, where it is, and its first devices. */
export function WelcomePage() {
  const { router } = useHub();
  const isDevices = router.place.value.query === 'devices';
  return <main class="gate">{isDevices ? <DevicesStep /> : <HomeStep />}</main>;
}

/** The third step: what is in the network already, and the way to everything else. */
function DevicesStep() {
  const { home } = useHub();
  const { value: kinds = [] } = useKinds();
  const found = useFound(false);
  const count = home.entries.value.length;
  return (
    <div class="gate-card">
      <FirstSteps present="devices" />
      <PageHead title={w.devices.title} />
      <p class="soft">{w.devices.intro}</p>
      {count === 0 ? null : (
        <p class="first-present">
          <Icon name="check" />
          {w.devices.present(count)}
        </p>
      )}
      {found.value === undefined || found.value.length > 0 ? null : (
        <p class="first-searching">
          <span class="connection-dot pulse" />
          {w.devices.searching}
        </p>
      )}
      <FoundThings kinds={kinds} shown={found} />
      <a class="row first-other" href="/add">
        <Icon name="plus" />
        <span class="row-text">
          <span class="row-title">{w.devices.other}</span>
          <span class="row-note">{w.devices.otherNote}</span>
        </span>
        <Icon name="forward" size={18} />
      </a>
      <a class="button button-main button-wide" href="/">
        {count === 0 ? w.devices.later : w.devices.toHome}
      </a>
    </div>
  );
}
