import { useId } from 'preact/hooks';
import { chooseOwnLanguage } from '#web/account/own-language.ts';
import { Choice } from '#web/form/choice.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { TEXT_SIZES, THEMES } from '#web/state/appearance.ts';
import { keptLanguage, languageNames } from '#web/strings/language/chosen-language.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

/** How the page looks in this browser. */
export function AppearancePage() {
  const hub = useHub();
  const { appearance } = hub;
  const { theme, textSize, hasMoreContrast } = appearance.look.value;
  const id = useId();
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.look.title} back={{ href: '/settings', label: settingsWords.back }} />
      <p class="soft">{settingsWords.look.intro}</p>
      <section class="panel form">
        <SelectField
          label={settingsWords.look.language}
          value={keptLanguage(window) ?? ''}
          options={[['', settingsWords.look.languageOfBrowser], ...languageNames()]}
          onValue={(code) => void chooseOwnLanguage(hub, code)}
          hint={settingsWords.look.languageHint}
        />
        <fieldset class="choice-list">
          <legend class="field-label">{settingsWords.look.theme}</legend>
          {THEMES.map((one) => (
            <Choice
              key={one}
              type="radio"
              name={`${id}-theme`}
              label={settingsWords.look.themes[one]}
              isChosen={one === theme}
              onChoice={() => appearance.choose({ theme: one })}
            />
          ))}
        </fieldset>
        <fieldset class="choice-list">
          <legend class="field-label">{settingsWords.look.textSize}</legend>
          {TEXT_SIZES.map((one) => (
            <Choice
              key={one}
              type="radio"
              name={`${id}-size`}
              label={settingsWords.look.textSizes[one]}
              isChosen={one === textSize}
              onChoice={() => appearance.choose({ textSize: one })}
            />
          ))}
        </fieldset>
        <Choice
          type="checkbox"
          label={settingsWords.look.moreContrast}
          isChosen={hasMoreContrast}
          onChoice={(isChosen) => appearance.choose({ hasMoreContrast: isChosen })}
        />
      </section>
    </div>
  );
}
