import { t } from '#web/strings/strings.ts';

const STEPS = ['you', 'home', 'devices'] as const;
type FirstStep = (typeof STEPS)[number];

/** Where a new owner is on the way to a home that can be used. */
export function FirstSteps({ present }: { readonly present: FirstStep }) {
  const at = STEPS.indexOf(present);
  return (
    <ol class="first-steps" aria-label={t.setup.steps}>
      {STEPS.map((step, index) => (
        <li key={step} data-done={index < at} aria-current={step === present ? 'step' : undefined}>
          {t.setup.step[step]}
        </li>
      ))}
    </ol>
  );
}
