import { useState } from 'preact/hooks';
import type { SceneTargetWish } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { house as houseWords } from '#web/strings/en/house.ts';

type Props = {
  readonly name: string;
  readonly wishes: readonly SceneTargetWish[];
  readonly transitionMs: number | null;
};

/** Shows the scene in the home before it is saved, and puts everything back as it was. */
export function TryScene({ name, wishes, transitionMs }: Props) {
  const { commands, home } = useHub();
  const [tried, setTried] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const run = async (): Promise<void> => {
    setIsBusy(true);
    const present = wishes.filter(({ device }) => home.find(device) !== undefined);
    const command = await commands.bar.run(houseWords.tried(name), '/command', {
      wishes: present.map(({ device, set }) => ({ device, set })),
      ...(transitionMs === null ? {} : { transition_ms: transitionMs }),
    });
    setIsBusy(false);
    // The first of several tries is put back last.
    if (command !== undefined) setTried(command.id);
  };
  const putBack = async (id: string): Promise<void> => {
    setIsBusy(true);
    await commands.bar.undo(id);
    setIsBusy(false);
    setTried(null);
  };
  return (
    <>
      {tried === null ? null : (
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void putBack(tried)}>
          {houseWords.putBack}
        </button>
      )}
      <button
        type="button"
        class="button"
        aria-disabled={isBusy || wishes.length === 0}
        onClick={() => {
          if (!isBusy && wishes.length > 0) void run();
        }}
      >
        {houseWords.tryIt}
      </button>
    </>
  );
}
