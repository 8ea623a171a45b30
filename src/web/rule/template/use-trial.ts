import { useEffect, useRef, useState } from 'preact/hooks';
import type { AutomationTemplateTrial } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import { type Fault, faultsFrom } from '#web/rule/editor/faults.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';

export type Trial = {
  readonly trial: AutomationTemplateTrial | null;
  /** At `/inputs/<name>`, or elsewhere in what would be made. */
  readonly faults: readonly Fault[];
};

const QUIET_MS = 400;
const NOTHING: Trial = { trial: null, faults: [] };

/**
 * Asks the hub for what it would make of these inputs, once nothing was changed for a moment; `null` while some are
 * missing.
 */
export function useTrial(path: string, inputs: JsonObject | null, automation: string | undefined): Trial {
  const { client } = useHub();
  const [found, setFound] = useState(NOTHING);
  const turn = useRef(0);
  const written = inputs === null ? null : JSON.stringify(inputs);
  useEffect(() => {
    const own = (turn.current += 1);
    if (written === null) {
      setFound(NOTHING);
      return undefined;
    }
    const body = { inputs: JSON.parse(written) as JsonObject, ...(automation === undefined ? {} : { automation }) };
    const timer = setTimeout(() => {
      client.call<AutomationTemplateTrial>('POST', `${path}/instantiate?dry_run=true`, body).then(
        (trial) => turn.current === own && setFound({ trial, faults: faultsFrom('', [], trial.warnings) }),
        (cause: unknown) => {
          if (turn.current !== own) return;
          // Saving says it when the hub is away.
          if (cause instanceof HubProblem) setFound({ trial: null, faults: faultsFrom('', cause.errors) });
        },
      );
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [client, path, written, automation]);
  return found;
}
