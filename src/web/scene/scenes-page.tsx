import type { Scene } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { CaptureButton } from './capture-dialog.tsx';
import { SceneMark } from './scene-chips.tsx';
import { SceneIcon } from './scene-icon.tsx';
import { sceneName, useScenes } from '#web/readings/use-scenes.ts';
import { runScene } from './run-scene.ts';

/** Every scene of the home: tap its name to see what is in it. */
export function ScenesPage() {
  const { value, fault, again } = useScenes();
  return (
    <div class="page narrow">
      <PageHead title={homeWords.scene.scenes} back={{ href: '/', label: pageWords.device.toHome }}>
        <CaptureButton />
      </PageHead>
      <ReadingView of={{ value: value.value, fault: fault.value, again }}>
        {(scenes) => (
          <>
            {scenes.every(({ builtin }) => builtin) ? <p class="soft">{houseWords.none}</p> : null}
            <ul class="rows">
              {scenes.map((scene) => (
                <SceneRow key={scene.id} scene={scene} />
              ))}
            </ul>
          </>
        )}
      </ReadingView>
    </div>
  );
}

function SceneRow({ scene }: { readonly scene: Scene }) {
  const hub = useHub();
  const name = sceneName(scene);
  const isRefused = scene.sensitive && !hub.account.can('device:control_sensitive');
  const notes = [
    scene.room?.name,
    houseWords.devices(scene.active.of),
    scene.sensitive ? homeWords.scene.sensitive : undefined,
  ];
  return (
    <li class="row">
      {scene.builtin ? <Icon name="power" /> : <SceneIcon name={scene.icon} size={22} />}
      <a class="row-text scene-link" href={`/scene/${scene.selector}`}>
        <span class="row-title">
          <bdi>{name}</bdi> <SceneMark scene={scene} />
        </span>
        <bdi class="row-note">{notes.filter((note) => note !== undefined).join(' · ')}</bdi>
      </a>
      <button
        type="button"
        class="button"
        aria-label={scene.builtin ? houseWords.applyAllOffOf : houseWords.applyOf(name)}
        disabled={isRefused || !hub.account.can('scene:run')}
        onClick={() => runScene(hub, scene)}
      >
        {scene.builtin ? houseWords.applyAllOff : homeWords.scene.apply}
      </button>
    </li>
  );
}
