import { page as pageWords } from '#web/strings/en/page.ts';

const STEPS = ['you', 'home', 'devices'] as const;
type FirstStep = (typeof STEPS)[number];

/** Where a new owner is on the way to a home that can be used. */
export function FirstSteps({ present }: { readonly present: FirstStep }) {
  const at = STEPS.indexOf(present);
  return (
    <ol class="first-steps" aria-label={pageWords.setup.steps}>
      {STEPS.map((step, index) => (
        <li key={step} data-done={index < at} aria-current={step === present ? 'step' : undefined}>
          {pageWords.setup.step[step]}
        </li>
      ))}
    </ol>
  );
}
