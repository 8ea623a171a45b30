import type { Scene } from '#web/client/api.ts';
import type { Hub } from '#web/hub.ts';
import { sceneName } from '#web/readings/use-scenes.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';

/** Brings the home into the state of a scene; asks first if it opens or guards something. */
export function runScene({ commands, questions }: Pick<Hub, 'commands' | 'questions'>, scene: Scene): void {
  const name = sceneName(scene);
  const run = (): void => void commands.bar.run(name, `/scene/${scene.id}/activate`);
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
