import type { AutomationListed, Device } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { sceneName, useScenes } from '#web/readings/use-scenes.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';

/** The scenes and automations that use the device; nothing if there are none. */
export function UsedIn({ device }: { readonly device: Device }) {
  const { account } = useHub();
  const scenes = (useScenes().value.value ?? []).filter(
    ({ builtin, targets }) => !builtin && targets.some((target) => target.device.id === device.id),
  );
  return account.can('automation:read') ? (
    <WithRules device={device} scenes={scenes} />
  ) : (
    <Places places={scenes.map(placeOfScene)} />
  );
}

type Scenes = NonNullable<ReturnType<typeof useScenes>['value']['value']>;
type Place = { readonly href: string; readonly name: string; readonly icon: 'palette' | 'clock' };

function WithRules({ device, scenes }: { readonly device: Device; readonly scenes: Scenes }) {
  const { value: rules = [] } = useReading<readonly AutomationListed[]>(`/automation?device=${device.id}`);
  const ofRules = rules.map(({ selector, name }) => ({ href: `/rule/${selector}`, name, icon: 'clock' as const }));
  return <Places places={[...scenes.map(placeOfScene), ...ofRules]} />;
}

function placeOfScene(scene: Scenes[number]): Place {
  return { href: `/scene/${scene.selector}`, name: sceneName(scene), icon: 'palette' };
}

function Places({ places }: { readonly places: readonly Place[] }) {
  if (places.length === 0) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{deviceWords.usedIn}</h2>
      <ul>
        {places.map(({ href, name, icon }) => (
          <li key={href}>
            <a class="group-member" href={href}>
              <Icon name={icon} size={20} />
              <bdi>{name}</bdi>
              <Icon name="forward" size={16} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
