import { useId } from 'preact/hooks';
import { chooseOwnLanguage } from '#web/account/own-language.ts';
import { Choice } from '#web/form/choice.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { TEXT_SIZES, THEMES } from '#web/state/appearance.ts';
import { keptLanguage, languageNames } from '#web/strings/language/chosen-language.ts';
import { s } from '#web/strings/settings-strings.ts';

/** How the page looks in this browser. */
export function AppearancePage() {
  const hub = useHub();
  const { appearance } = hub;
  const { theme, textSize, hasMoreContrast } = appearance.look.value;
  const id = useId();
  return (
    <div class="page narrow">
      <PageHead title={s.look.title} back={{ href: '/settings', label: s.back }} />
      <p class="soft">{s.look.intro}</p>
      <section class="panel form">
        <SelectField
          label={s.look.language}
          value={keptLanguage(window) ?? ''}
          options={[['', s.look.languageOfBrowser], ...languageNames()]}
          onValue={(code) => void chooseOwnLanguage(hub, code)}
          hint={s.look.languageHint}
        />
        <fieldset class="choice-list">
          <legend class="field-label">{s.look.theme}</legend>
          {THEMES.map((one) => (
            <Choice
              key={one}
              type="radio"
              name={`${id}-theme`}
              label={s.look.themes[one]}
              isChosen={one === theme}
              onChoice={() => appearance.choose({ theme: one })}
            />
          ))}
        </fieldset>
        <fieldset class="choice-list">
          <legend class="field-label">{s.look.textSize}</legend>
          {TEXT_SIZES.map((one) => (
            <Choice
              key={one}
              type="radio"
              name={`${id}-size`}
              label={s.look.textSizes[one]}
              isChosen={one === textSize}
              onChoice={() => appearance.choose({ textSize: one })}
            />
          ))}
        </fieldset>
        <Choice
          type="checkbox"
          label={s.look.moreContrast}
          isChosen={hasMoreContrast}
          onChoice={(isChosen) => appearance.choose({ hasMoreContrast: isChosen })}
        />
      </section>
    </div>
  );
}
