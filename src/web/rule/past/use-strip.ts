import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Simulation } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

type Asked = {
  readonly definition: JsonObject;
  /** What it is compared with; absent for a new one. */
  readonly saved: { readonly id: string; readonly version: number } | undefined;
  readonly isChanged: boolean;
  /** Whether the hub has said of this very definition that it understands it. */
  readonly isGood: boolean;
};
export type Strip = {
  /** Stays while a newer one is asked for. */
  readonly shown: { readonly simulation: Simulation; readonly definition: JsonObject } | null;
  readonly fault: string | undefined;
  readonly isAsked: boolean;
  readonly isBusy: boolean;
  /** It is about a definition that was changed since, and nobody asks. */
  readonly isOld: boolean;
  readonly ask: () => void;
  readonly panel: RefObject<HTMLElement | null>;
  /** The hub counts as on in the whole time; `null` where it was. */
  readonly asIfOn: boolean | null;
  readonly setAsIfOn: (isOn: boolean) => void;
  /** The same from elsewhere on the page: leads to the strip, and asks where there is none yet. */
  readonly show: () => void;
};

const LOOK_MS = 1_000;

/**
 * The last 14 days, replayed with a definition and as it is saved. Nothing is replayed before somebody asks; from then
 * on each change is, as soon as the hub understands it.
 */
export function useStrip({ definition, saved, isChanged, isGood }: Asked): Strip {
  const { client } = useHub();
  const [asked, setAsked] = useState<JsonObject | null>(null);
  const [shown, setShown] = useState<Strip['shown']>(null);
  const [fault, setFault] = useState<string>();
  const [asIfOn, setAsIfOn] = useState(false);
  const turn = useRef(0);
  const panel = useRef<HTMLElement>(null);
  // What nobody waits for any longer is ended.
  useEffect(() => () => void (turn.current += 1), []);
  const ask = async (isOn = asIfOn): Promise<void> => {
    const own = (turn.current += 1);
    const isOver = (): boolean => own !== turn.current;
    setAsked(definition);
    setFault(undefined);
    const compare = saved !== undefined && isChanged ? { compare_to: saved.version } : {};
    const about = saved === undefined ? {} : { automation: saved.id };
    const body = { ...about, ...compare, definition, from: '-14d', world: 'answering', as_if_on: isOn };
    const words = await wordsIfRefused(async () => {
      let answer = await client.call<Simulation>('POST', '/automation_simulation', body);
      const path = `/automation_simulation/${answer.id}`;
      while (answer.status === 'running') {
        if (isOver()) return void (await client.call('DELETE', path));
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        answer = await client.call<Simulation>('GET', path);
      }
      if (!isOver()) setShown({ simulation: answer, definition });
      return undefined;
    });
    if (!isOver()) setFault(words);
  };
  const isOld = asked !== null && asked !== definition;
  useEffect(() => {
    if (isOld && isGood) void ask();
  }, [isOld, isGood, definition]);
  return {
    shown,
    fault,
    isAsked: asked !== null,
    isBusy: asked !== null && shown?.definition !== asked && fault === undefined,
    isOld,
    ask: () => void ask(),
    asIfOn: asIfOn || wasOff(shown) ? asIfOn : null,
    setAsIfOn: (isOn) => {
      setAsIfOn(isOn);
      void ask(isOn);
    },
    panel,
    show: () => {
      if (asked !== definition) void ask();
      panel.current?.focus({ preventScroll: true });
      panel.current?.scrollIntoView();
    },
  };
}

function wasOff(shown: Strip['shown']): boolean {
  return shown?.simulation.result?.fidelity.missing.some(({ reason }) => reason === 'hub_off') ?? false;
}
