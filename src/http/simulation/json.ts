import { withReason } from '#http/answer/reason-json.ts';
import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import * as z from 'zod/mini';
import {
  type DayOfFirings,
  type Firing,
  MISSING_REASONS,
  type Simulation,
  SIMULATION_WORLDS,
} from '#core/automation-replay/simulation.ts';
import type { SimulationEntry } from '#core/automation-replay/simulations.ts';
import type { DeviceId } from '#core/device/device.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { automationRunJson, automationRunSchema } from '#http/automation-run/json.ts';
import type { SeenHome } from '#http/automation-run/seen-home.ts';
import { failureSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';

const moment = z.string().check(z.maxLength(40));
const documentSchema = z.record(z.string(), z.unknown());
export const givenSchema = z.record(z.string().check(z.maxLength(300)), z.union([z.boolean(), z.number(), z.string()]));
export const simulationCreateSchema = named(
  'SimulationCreate',
  z.strictObject({
    automation: described(
      'Id or selector. With `definition` beside it, that is what it would become.',
      z.optional(z.string().check(z.maxLength(200))),
    ),
    version: described('An older version of it.', z.optional(z.int().check(z.gte(1)))),
    definition: described('What an automation does, as in `POST /api/v1/automation`.', z.optional(documentSchema)),
    from: described('RFC 3339, or before now as `-14d`, which is also usual.', z.optional(moment)),
    to: described('Now if absent.', z.optional(moment)),
    given: described(
      'Values that are held for the whole time, by their series: `{"hall-lux/illuminance": 12}`.',
      z.optional(givenSchema),
    ),
    compare_to: described(
      'A version of the automation that is replayed beside it.',
      z.optional(z.int().check(z.gte(1))),
    ),
    compare_definition: described('In place of a version.', z.optional(documentSchema)),
    world: described(
      '`recorded`: the home does what it did, whatever is commanded. `answering`: devices take what is commanded, until a hand moved them. Usually `recorded`.',
      z.optional(z.enum(SIMULATION_WORLDS)),
    ),
    as_if_on: described(
      'Takes the hub as on for the whole time, also while it was off or not there yet: for values that were imported.',
      z.optional(z.boolean()),
    ),
  }),
);
export type SimulationCreate = z.infer<typeof simulationCreateSchema>;

const firingSchema = named(
  'SimulatedRun',
  z.object({
    at: timeSchema,
    trigger: z.string(),
    outcome: wordOf('RunOutcome', RUN_OUTCOMES),
    run: described('The id of its trace in the answer; `null` where there is none.', z.nullable(z.string())),
  }),
);
const countsSchema = z.record(z.string(), z.int());
const daySchema = z.object({
  date: described('In the time zone of the hub.', z.string()),
  new: described('Starts that did something, oldest first.', z.array(firingSchema)),
  old: described('Of what it is compared with.', z.array(firingSchema)),
  new_counts: described('All starts by their outcome.', countsSchema),
  old_counts: described('The same of what it is compared with.', countsSchema),
});
const missingSchema = z.object({
  series: described('A device and a feature, `mode/home`, `hook/t1`, `hub/recording`, …', z.string()),
  from: described('The beginning of the gap.', timeSchema),
  to: described('The end of the gap.', timeSchema),
  reason: described('Why nothing is known.', z.enum(MISSING_REASONS)),
});
const resultSchema = z.object({
  from: described('The beginning of the time.', timeSchema),
  to: described('The end of the time.', timeSchema),
  time_zone: z.string(),
  world: described(
    '`recorded`: the home does what it did; `answering`: devices take what is commanded.',
    z.enum(SIMULATION_WORLDS),
  ),
  fidelity: described(
    'Where the replay may differ from what would have been. `order_unknown`: two things happened within a tenth of a second.',
    z.object({
      complete: described('All that it looked at is in the history.', z.boolean()),
      missing: described('What is not, and when.', z.array(missingSchema)),
    }),
  ),
  runs: described(
    'The newest traces: of up to 500 starts that did something, and 50 others.',
    z.array(automationRunSchema),
  ),
  old_runs: described('Runs of what it is compared with.', z.array(automationRunSchema)),
  runs_left_out: described('How many runs more there are than the answer shows.', z.int()),
  counts: described('All starts by their outcome.', countsSchema),
  per_day: described('Every day of the time, as a strip shows it.', z.array(daySchema)),
  commands: described(
    'By the selector of the device.',
    z.record(
      z.string(),
      z.object({
        sent: described('How many commands it would have sent.', z.int()),
        on_s: described('For how long it would have been on by these.', z.int()),
      }),
    ),
  ),
  compare: described(
    'What differs between the two; `null`: it is compared with nothing.',
    z.nullable(
      z.object({
        only_new: described('Starts that only the new one has.', z.array(firingSchema)),
        only_old: described('Starts that only the old one has.', z.array(firingSchema)),
        both: described('How many starts both have.', z.int()),
      }),
    ),
  ),
  against_reality: described(
    'Beside the runs that there were. `null` for what is no automation yet.',
    z.nullable(
      z.object({
        since: described('Before it not all runs are kept, and nothing is compared.', timeSchema),
        agrees: described('How many starts the home had too.', z.int()),
        would_have: described('Starts that the home did not have.', z.array(firingSchema)),
        did_instead: described('Starts that only the home had.', z.array(firingSchema)),
      }),
    ),
  ),
});
export const simulationSchema = named(
  'Simulation',
  described(
    'What an automation would have done in a time of the past: an estimate.',
    z.object({
      id: z.uuid(),
      status: described('`running`: ask again; `done`: `result` is there.', z.enum(['running', 'done', 'failed'])),
      error: described('Why it failed.', z.nullable(failureSchema)),
      result: described('What would have happened; `null`: it is not done.', z.nullable(resultSchema)),
    }),
  ),
);

type ShownWith = { readonly home: SeenHome; readonly timeZone: string };

export function simulationJson({ id, state }: SimulationEntry, shown: ShownWith): z.infer<typeof simulationSchema> {
  const error = state.status === 'failed' ? withReason(state.error) : null;
  const result = state.status === 'done' ? resultJson(state.simulation, shown) : null;
  return { id, status: state.status, error, result };
}

function resultJson(simulation: Simulation, { home, timeZone }: ShownWith): z.infer<typeof resultSchema> {
  const { compare, againstReality: reality } = simulation;
  return {
    from: timeJson(simulation.fromMs),
    to: timeJson(simulation.toMs),
    time_zone: timeZone,
    world: simulation.world,
    fidelity: {
      complete: simulation.fidelity.isComplete,
      missing: simulation.fidelity.missing.map(({ series, fromMs, toMs, reason }) => ({
        series: shownSeries(series, home),
        from: timeJson(fromMs),
        to: timeJson(toMs),
        reason,
      })),
    },
    runs: simulation.runs.map((run) => automationRunJson(run, home)),
    old_runs: simulation.oldRuns.map((run) => automationRunJson(run, home)),
    runs_left_out: simulation.runsLeftOut,
    counts: { ...simulation.counts },
    per_day: simulation.perDay.map(dayJson),
    commands: Object.fromEntries(
      [...simulation.commands].map(([device, { sent, onMs }]) => [
        home.selectorOf(device),
        { sent, on_s: Math.round(onMs / 1000) },
      ]),
    ),
    compare: compare && {
      only_new: compare.onlyNew.map(firingJson),
      only_old: compare.onlyOld.map(firingJson),
      both: compare.both,
    },
    against_reality: reality && {
      since: timeJson(reality.sinceMs),
      agrees: reality.agrees,
      would_have: reality.wouldHave.map(firingJson),
      did_instead: reality.didInstead.map(firingJson),
    },
  };
}

function dayJson(day: DayOfFirings): z.infer<typeof daySchema> {
  return {
    date: day.date,
    new: day.new.map(firingJson),
    old: day.old.map(firingJson),
    new_counts: { ...day.newCounts },
    old_counts: { ...day.oldCounts },
  };
}

function firingJson({ atMs, trigger, outcome, run }: Firing): z.infer<typeof firingSchema> {
  return { at: timeJson(atMs), trigger, outcome, run };
}

/** A series in storage has the id of its device, or only that. */
function shownSeries(series: string, { selectorOf: nameOf }: SeenHome): string {
  const slash = series.indexOf('/');
  if (slash < 0) return nameOf(series as DeviceId);
  return nameOf(series.slice(0, slash) as DeviceId) + series.slice(slash);
}
