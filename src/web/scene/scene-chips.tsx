import type { Scene } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { SceneIcon } from './scene-icon.tsx';
import { sceneName } from '#web/readings/use-scenes.ts';
import { runScene } from './run-scene.ts';

/** Scenes, one tap each. The built-in one comes first, so that no telephone has to scroll to it. */
export function SceneChips({ scenes }: { readonly scenes: readonly Scene[] }) {
  const sorted = [...scenes].sort((one, other) => Number(other.builtin) - Number(one.builtin));
  return (
    <>
      {sorted.map((scene) => (
        <SceneChip key={scene.id} scene={scene} />
      ))}
    </>
  );
}

function SceneChip({ scene }: { readonly scene: Scene }) {
  const hub = useHub();
  const { state } = scene.active;
  const isRefused = scene.sensitive && !hub.account.can('device:control_sensitive');
  return (
    <button
      type="button"
      class="chip scene-chip"
      data-active={state}
      disabled={isRefused || !hub.account.can('scene:run')}
      title={isRefused ? homeWords.scene.sensitiveRefused : undefined}
      onClick={() => runScene(hub, scene)}
    >
      {scene.builtin ? <Icon name="power" size={20} /> : <SceneIcon name={scene.icon} />}
      <bdi>{sceneName(scene)}</bdi>
      {scene.sensitive ? (
        <>
          <Icon name="lock" size={16} />
          <span class="unseen">{homeWords.scene.sensitive}</span>
        </>
      ) : null}
      <SceneMark scene={scene} />
    </button>
  );
}

/** How far the scene is active, by the reports of its devices. */
export function SceneMark({ scene: { active, builtin } }: { readonly scene: Pick<Scene, 'active' | 'builtin'> }) {
  const { state, matched, of } = active;
  // Something is always off.
  if (state === 'inactive' || of === 0 || (builtin && state !== 'active')) return null;
  return (
    <span class="scene-mark" data-active={state}>
      <span aria-hidden="true">
        {state === 'active' ? (
          <Icon name="check" size={16} />
        ) : state === 'unknown' ? (
          '?'
        ) : (
          homeWords.scene.partly(matched, of)
        )}
      </span>
      <span class="unseen">
        {state === 'partly'
          ? `${homeWords.scene.active.partly}: ${homeWords.scene.partly(matched, of)}`
          : homeWords.scene.active[state]}
      </span>
    </span>
  );
}
