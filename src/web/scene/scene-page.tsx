import { useEffect } from 'preact/hooks';
import type { Scene } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import type { PageProps } from '#web/router.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { sceneName, useScenes } from '#web/readings/use-scenes.ts';
import { switchable } from './all-off.ts';
import { runScene } from './run-scene.ts';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { useReportedTask } from '#web/parts/use-task.ts';
import { SceneForm } from './scene-form.tsx';

const toScenes = () => ({ href: '/scene', label: homeWords.scene.all });

/** One scene: how far it is active, and for people who may change it, everything in it. */
export function ScenePage({ params }: PageProps) {
  const selector = params['selector'] ?? '';
  const reading = useReading<Scene>(`/scene/${encodeURIComponent(selector)}`);
  const scenes = useScenes().value.value;
  const kept = scenes?.find(({ id, selector: own }) => own === selector || id === selector);
  const isGone =
    scenes !== undefined && kept === undefined && (reading.value === undefined || reading.fault !== undefined);
  const { again } = reading;
  const seen = kept === undefined ? '' : `${kept.revision} ${kept.active.state} ${kept.active.matched}`;
  // What differs comes with the scene itself, not with its events.
  useEffect(() => void (seen === '' ? undefined : again()), [seen, again]);
  if (isGone) {
    return (
      <div class="page narrow">
        <PageHead title={houseWords.notFound} back={toScenes()} />
        <p class="soft">{houseWords.notFoundText}</p>
      </div>
    );
  }
  return (
    <div class="page narrow">
      <PageHead
        title={reading.value === undefined ? homeWords.scene.scenes : sceneName(reading.value)}
        back={toScenes()}
      />
      <ReadingView of={reading}>{(scene) => <OneScene scene={scene} again={again} />}</ReadingView>
    </div>
  );
}

function OneScene({ scene, again }: { readonly scene: Scene; readonly again: () => Promise<void> }) {
  const hub = useHub();
  const { account } = hub;
  const isRefused = scene.sensitive && !account.can('device:control_sensitive');
  const canChange = account.can('scene:manage') && !scene.builtin && !isRefused;
  return (
    <>
      <section class="panel scene-state">
        <p>{houseWords.activeOf(homeWords.scene.active[scene.active.state], scene.active.matched, scene.active.of)}</p>
        <button
          type="button"
          class="button button-main"
          disabled={isRefused || !account.can('scene:run')}
          onClick={() => runScene(hub, scene)}
        >
          <Icon name="power" size={18} />
          {scene.builtin ? houseWords.applyAllOff : homeWords.scene.apply}
        </button>
        {scene.active.state === 'unknown' ? <p class="soft">{houseWords.unknownText}</p> : null}
        {scene.sensitive ? (
          <p class="soft scene-sensitive">
            <Icon name="lock" size={16} />
            {isRefused ? homeWords.scene.sensitiveRefused : homeWords.scene.sensitiveText}
          </p>
        ) : null}
        {scene.builtin ? <p class="soft">{houseWords.allOffText}</p> : null}
      </section>
      {scene.builtin ? <AllOffDevices /> : null}
      {canChange ? (
        <>
          <SceneForm scene={scene} again={again} />
          <RemoveButton
            path={`/scene/${scene.id}`}
            label={houseWords.remove}
            question={houseWords.removeQuestion(scene.name)}
            text={houseWords.removeText}
            removed={houseWords.removed(scene.name)}
            onRemoved={() => hub.router.go('/scene', 'replace')}
          >
            <Icon name="trash" size={20} />
          </RemoveButton>
        </>
      ) : null}
    </>
  );
}

/** All that has a switch and may be turned off with the rest: a check mark takes it in. */
function AllOffDevices() {
  const { home, account, client } = useHub();
  const { run, isRunning } = useReportedTask((device: string, isIn: boolean) =>
    client.call('PATCH', `/device/${device}`, { all_off: isIn }),
  );
  const devices = switchable({ home });
  if (devices.length === 0) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{houseWords.allOffDevices}</h2>
      {devices.map(({ id, name, room, all_off: isIn }) => (
        <Choice
          key={id}
          type="checkbox"
          label={name}
          note={room?.name}
          isChosen={isIn}
          isDisabled={isRunning || !account.can('device:manage')}
          onChoice={(isChosen) => run(id, isChosen)}
        />
      ))}
    </section>
  );
}
