import { type Signal, signal } from '@preact/signals';
import type { Device } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { type Hub, useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { house as houseWords } from '#web/strings/en/house.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { longUndecided, switchable, undecided } from './all-off.ts';

/**
 * Asks which devices the built-in scene turns off, and does `next` once the hub has kept that. What was left to the types
 * counts as chosen then, so that nobody is asked again.
 */
export function askAllOff(hub: Hub, confirm: 'applyAllOff' | 'saveIt', next: () => void): void {
  const { client, messages, questions } = hub;
  const devices = switchable(hub);
  const open = undecided(devices);
  const chosen = signal<ReadonlySet<string>>(new Set(devices.flatMap(({ id, all_off: isIn }) => (isIn ? [id] : []))));
  const keep = async (): Promise<void> => {
    const words = await wordsIfRefused(async () => {
      for (const device of devices) {
        const isIn = chosen.peek().has(device.id);
        if (isIn === device.all_off && !open.includes(device)) continue;
        await client.call('PATCH', `/device/${device.id}`, { all_off: isIn });
      }
    });
    if (words === undefined) next();
    else messages.show(words, 'danger');
  };
  questions.ask(
    {
      title: houseWords.allOffDevices,
      text: houseWords.allOffAsk,
      children: <ChoiceList devices={[...open, ...devices.filter((one) => !open.includes(one))]} chosen={chosen} />,
      confirm: houseWords[confirm],
    },
    () => void keep(),
  );
}

type Props = { readonly devices: readonly Device[]; readonly chosen: Signal<ReadonlySet<string>> };

function ChoiceList({ devices, chosen }: Props) {
  return (
    <div class="picker">
      {devices.map(({ id, name, room }) => (
        <Choice
          key={id}
          type="checkbox"
          label={name}
          note={room?.name}
          isChosen={chosen.value.has(id)}
          onChoice={(isIn) => {
            const others = [...chosen.peek()].filter((one) => one !== id);
            chosen.value = new Set(isIn ? [...others, id] : others);
          }}
        />
      ))}
    </div>
  );
}

/** Tells a home that "All off" leaves something on, until somebody has chosen what. */
export function AllOffCard() {
  const hub = useHub();
  const left = longUndecided(switchable(hub), hub.time.nowMs.value);
  return (
    <Notice text={houseWords.allOffLeaves(left.map(({ name }) => name))}>
      <button type="button" class="button" onClick={() => askAllOff(hub, 'saveIt', () => undefined)}>
        {houseWords.allOffChoose}
      </button>
    </Notice>
  );
}
