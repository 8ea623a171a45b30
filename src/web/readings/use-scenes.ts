import type { Scene, SceneChangedData, SceneRemovedData } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { type Mirror, type MirrorSource, mirrorOf } from '#web/state/mirror.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

const FROM: MirrorSource<readonly Scene[]> = {
  path: '/scene',
  about: 'scene.',
  after: (scenes, { type, data }) => {
    if (type === 'scene.removed') {
      const { scene } = data as SceneRemovedData;
      return scenes.filter(({ id }) => id !== scene.id);
    }
    if (type !== 'scene.changed') return type === 'scene.added' ? undefined : scenes;
    const { scene: changed } = data as SceneChangedData;
    const known = scenes.find(({ id }) => id === changed.id);
    // The event has no targets: those of another revision have to be read.
    if (known?.revision !== changed.revision) return undefined;
    // What differs is read by the page that shows it.
    const active = { ...known.active, ...changed.active };
    return scenes.map((scene) => (scene === known ? { ...scene, active } : scene));
  },
};

/** The scenes that this person sees, and how far each is active. */
export function useScenes(): Mirror<readonly Scene[]> {
  return mirrorOf(useHub(), FROM);
}

export function sceneName({ name, builtin }: Pick<Scene, 'name' | 'builtin'>): string {
  return builtin ? pageWords.allOff : name;
}
