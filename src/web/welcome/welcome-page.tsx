import { useHub } from '#web/hub.ts';
import { FoundThings } from '#web/integrations/add-page.tsx';
import { useFound, useKinds } from '#web/readings/use-integrations.ts';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { welcome as welcomeWords } from '#web/strings/en/home/welcome.ts';
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
      <PageHead title={welcomeWords.devices.title} />
      <p class="soft">{welcomeWords.devices.intro}</p>
      {count === 0 ? null : (
        <p class="first-present">
          <Icon name="check" />
          {welcomeWords.devices.present(count)}
        </p>
      )}
      {found.value === undefined || found.value.length > 0 ? null : (
        <p class="first-searching">
          <span class="connection-dot pulse" />
          {welcomeWords.devices.searching}
        </p>
      )}
      <FoundThings kinds={kinds} shown={found} />
      <a class="row first-other" href="/add">
        <Icon name="plus" />
        <span class="row-text">
          <span class="row-title">{welcomeWords.devices.other}</span>
          <span class="row-note">{welcomeWords.devices.otherNote}</span>
        </span>
        <Icon name="forward" size={18} />
      </a>
      <a class="button button-main button-wide" href="/">
        {count === 0 ? welcomeWords.devices.later : welcomeWords.devices.toHome}
      </a>
    </div>
  );
}
