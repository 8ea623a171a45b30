import type { Scene } from '#web/client/api.ts';
import type { Hub } from '#web/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { sceneName } from '#web/readings/use-scenes.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { mayChoose, switchable, undecided } from './all-off.ts';

/** Brings the home into the state of a scene; asks first if it opens or guards something, or what else it shall turn off. */
export function runScene(hub: Hub, scene: Scene): void {
  const { commands, questions } = hub;
  const name = sceneName(scene);
  const run = (): void => void commands.bar.run(name, `/scene/${scene.id}/activate`);
  if (scene.builtin && mayChoose(hub) && undecided(switchable(hub)).length > 0) {
    import('./all-off-choice.tsx').then(
      ({ askAllOff }) => askAllOff(hub, 'applyAllOff', run),
      () => hub.messages.show(pageWords.problem.network, 'danger'),
    );
    return undefined;
  }
  if (!scene.sensitive) return run();
  questions.ask(
    {
      title: homeWords.scene.sensitiveQuestion(name),
      text: homeWords.scene.sensitiveText,
      confirm: homeWords.scene.apply,
    },
    run,
  );
}
