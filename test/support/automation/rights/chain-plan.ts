import type { JsonObject } from '#base/json.ts';
import type { Link } from '#test/support/automation/oracle/oracle-chains.ts';
import { LAMPS, SENSITIVE, SENSITIVE_NAMES, type SensitiveName } from './rig-home.ts';

/** Who signs automations: a person, a script that may open doors, and one that may not. */
export type SignerName = 'owner' | 'bold' | 'script';
export const SIGNALS = ['lamp', 'group', 'mode', 'variable', 'none'] as const;
export type Signal = (typeof SIGNALS)[number];

const WAITS = ['nothing', 'nothing', 'delay', 'triggers', 'condition'] as const;
const BODIES = ['plain', 'plain', 'parallel', 'choose', 'repeat'] as const;

export type PlannedLink = Link & {
  readonly waits: (typeof WAITS)[number];
  readonly body: (typeof BODIES)[number];
  readonly byScene: boolean;
};
export type Planned = {
  readonly signer: SignerName;
  readonly signal: Signal;
  /** How long the signal must last. */
  readonly heldS: number;
  /** It is so only until a link enables it. */
  readonly isDisabled: boolean;
  readonly links: readonly PlannedLink[];
  readonly follows: number | null;
  readonly moves: SensitiveName | null;
};

/** What documents name: ids by place and by what they are called in the rig. */
export type Names = {
  readonly device: (name: string) => string;
  readonly scene: (at: number) => string;
  readonly automation: (at: number) => string;
};

/** Numbers from 0 to below the limit. */
export type Draw = (below: number) => number;

/** A home of automations in which each links only to later ones, so that no chain is endless. */
export function drawChains(draw: Draw): readonly Planned[] {
  const count = 3 + draw(LAMPS - 4);
  const one = <Choice>(choices: readonly Choice[]): Choice => choices[draw(choices.length)] as Choice;
  const disabled = Array.from({ length: count }, (_, at) => at > 0 && draw(6) === 0);
  const signals = Array.from({ length: count }, () => one(SIGNALS));
  return Array.from({ length: count }, (_, at): Planned => {
    const later = count - at - 1;
    const links = Array.from({ length: later === 0 ? 0 : draw(3) }, (): PlannedLink => {
      const to = at + 1 + draw(later);
      const how =
        disabled[to] === true ? 'enable' : signals[to] === 'none' ? 'run' : one(['run', 'signal', 'signal'] as const);
      return { how, to, waits: one(WAITS), body: one(BODIES), byScene: draw(2) === 0 };
    });
    return {
      signer: draw(2) === 0 ? one(['bold', 'script', 'script'] as const) : 'owner',
      signal: signals[at] ?? 'none',
      heldS: draw(4) === 0 ? 2 : 0,
      isDisabled: disabled[at] === true,
      links,
      follows: at > 0 && draw(5) === 0 && disabled[at] !== true ? draw(at) : null,
      moves: draw(at < count / 2 ? 5 : 2) === 0 ? one(SENSITIVE_NAMES) : null,
    };
  });
}

/** What starts it, beside its name. */
export function triggersOf({ signal, heldS, follows, moves }: Planned, at: number, names: Names): JsonObject[] {
  const held = heldS === 0 ? {} : { for_s: heldS };
  const own: Readonly<Record<Signal, readonly JsonObject[]>> = {
    lamp: [{ type: 'feature', device: names.device(`lamp${at}`), key: 'on', to: true, ...held }],
    group: [{ type: 'feature', group: names.device(`group${at}`), key: 'on', to: true, ...held }],
    mode: [{ type: 'mode', mode: `m${at}`, to: 'on', ...held }],
    variable: [{ type: 'variable', variable: `v${at}`, to: 1, ...held }],
    none: [],
  };
  return [
    ...own[signal],
    // What a hook opens needs a condition, which is no matter of this test.
    ...(moves === null ? [{ id: 'ring', type: 'hook' }] : []),
    ...(follows === null ? [] : [{ type: 'automation', automation: names.automation(follows), outcome: 'finished' }]),
  ];
}

/** The whole document; the automations that it names are there already. */
export function documentOf(all: readonly Planned[], at: number, names: Names): JsonObject {
  const planned = all[at];
  if (planned === undefined) throw new Error(`there is no automation ${at}`);
  const { moves, links } = planned;
  const opening = moves === null ? undefined : SENSITIVE[moves];
  const steps: JsonObject[] = links.flatMap((link) => linkSteps(all, link, names));
  if (moves !== null && opening !== undefined) {
    const command = { targets: { devices: [names.device(moves)] }, set: { [opening.key]: opening.to } };
    steps.push({ command: { ...command, wait: 'finished' } });
  }
  return {
    mode: { kind: 'parallel', max: 10 },
    limits: 'high',
    ...(moves === null ? {} : { allow_sensitive: [names.device(moves)] }),
    triggers: triggersOf({ ...planned, follows: null }, at, names),
    steps,
  };
}

function linkSteps(all: readonly Planned[], link: PlannedLink, names: Names): readonly JsonObject[] {
  const before: Readonly<Record<PlannedLink['waits'], readonly JsonObject[]>> = {
    nothing: [],
    delay: [{ delay: { s: 3 } }],
    triggers: [{ wait_for: { timeout_s: 4, triggers: [{ type: 'variable', variable: 'never', to: 1 }] } }],
    condition: [{ wait_for: { timeout_s: 4, condition: { variable: { variable: 'never', is: 1 } } } }],
  };
  const steps = [...before[link.waits], ...actSteps(all, link, names)];
  const bodies: Readonly<Record<PlannedLink['body'], readonly JsonObject[]>> = {
    plain: steps,
    parallel: [{ parallel: { branches: [steps, [{ delay: { s: 1 } }]] } }],
    choose: [{ choose: { cases: [{ if: { mode: { never: 'on' } }, then: [{ delay: { s: 1 } }] }], else: steps } }],
    repeat: [{ repeat: { times: 1, max: 2, steps: [...steps, { delay: { s: 1 } }] } }],
  };
  return bodies[link.body];
}

function actSteps(all: readonly Planned[], { how, to, byScene }: PlannedLink, names: Names): JsonObject[] {
  const target = all[to];
  const run = { automation: { automation: names.automation(to), do: 'run' } };
  if (target === undefined || how === 'run') return [run];
  const { signal } = target;
  const lamp: JsonObject = byScene
    ? { scene: { scene: names.scene(to) } }
    : { command: { targets: { devices: [names.device(`lamp${to}`)] }, set: { on: true }, wait: 'finished' } };
  const give: Readonly<Record<Signal, JsonObject>> = {
    lamp,
    group: lamp,
    mode: { mode: { mode: `m${to}`, value: 'on' } },
    variable: { variable: { variable: `v${to}`, value: 1 } },
    none: run,
  };
  if (how === 'signal') return [give[signal]];
  const enable = { automation: { automation: names.automation(to), do: 'enable' } };
  return [enable, { delay: { s: 1 } }, give[signal]];
}
