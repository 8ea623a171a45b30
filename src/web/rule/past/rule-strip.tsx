import { useMemo } from 'preact/hooks';
import type { Automation } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Choice } from '#web/form/choice.tsx';
import { Loaded } from '#web/parts/loaded.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { draftFrom } from '#web/rule/rule-draft.ts';
import { type Strip, useStrip } from './use-strip.ts';
import { errorWords } from '#web/strings/error-words.ts';

type Props = { readonly strip: Strip };

const loadView = async () => (await import('./strip-view.tsx')).StripView;

/** Shows the last 14 days as they would have been: a strip of when it would have started, beside what is saved. */
export function RuleStrip({ strip: { shown, fault, isAsked, isBusy, isOld, ask, asIfOn, setAsIfOn, panel } }: Props) {
  const result = shown?.simulation.result ?? null;
  return (
    <section ref={panel} class="panel rule-strip" aria-label={pastWords.strip} aria-busy={isBusy} tabIndex={-1}>
      <h2 class="form-title">{pastWords.strip}</h2>
      <p class="soft">{pastWords.stripText}</p>
      <div role="status">{isBusy ? <p>{pastWords.stripBusy}</p> : null}</div>
      {fault === undefined ? null : <Notice tone="danger" text={fault} />}
      {shown?.simulation.status === 'failed' ? (
        <Notice
          tone="danger"
          text={shown.simulation.error === null ? pastWords.stripFailed : errorWords(shown.simulation.error)}
        />
      ) : null}
      {result === null || shown === null ? null : (
        <Loaded load={loadView}>
          {(StripView) => <StripView key={shown.simulation.id} result={result} definition={shown.definition} />}
        </Loaded>
      )}
      {asIfOn === null ? null : (
        <Choice type="checkbox" label={pastWords.asIfOn} isChosen={asIfOn} onChoice={setAsIfOn} />
      )}
      {!isAsked || isOld || fault !== undefined ? (
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => isBusy || ask()}>
          {isAsked ? pastWords.stripAgain : pastWords.stripAsk}
        </button>
      ) : null}
    </section>
  );
}

type SavedProps = { readonly rule: Automation };

/** The same for an automation as it is saved. */
export function SavedStrip({ rule }: SavedProps) {
  const { home } = useHub();
  const { id, version } = rule;
  const definition = useMemo(
    () => draftFrom(rule, (selector) => home.find(selector) !== undefined).definition,
    [home, id, version],
  );
  const strip = useStrip({ definition, saved: { id, version }, isChanged: false, isGood: true });
  return <RuleStrip strip={strip} />;
}
