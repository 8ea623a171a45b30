import { Choice } from '#web/form/choice.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { wall as wallWords } from '#web/strings/en/home/wall.ts';
import { NIGHT_WAYS, type NightRule } from './night.ts';

type Props = {
  readonly rule: NightRule;
  readonly onRule: (rule: NightRule) => void;
  readonly onForget: () => void;
  readonly onClose: () => void;
};

/** When this screen is dark, and the way to take its token from it. */
export function WallSettings({ rule, onRule, onForget, onClose }: Props) {
  return (
    <Dialog title={wallWords.settings} onClose={onClose}>
      {() => (
        <>
          <fieldset class="choice-list">
            <legend class="field-label">{wallWords.night}</legend>
            {NIGHT_WAYS.map((way) => (
              <Choice
                key={way}
                type="radio"
                name="night"
                label={wallWords.nights[way]}
                note={way === 'sun' ? wallWords.sunNote : undefined}
                isChosen={rule.way === way}
                onChoice={() => onRule({ ...rule, way })}
              />
            ))}
          </fieldset>
          {rule.way === 'never' ? null : (
            <div class="wall-times">
              <TextField
                label={wallWords.from}
                type="time"
                value={rule.from}
                onValue={(from) => onRule({ ...rule, from })}
              />
              <TextField label={wallWords.to} type="time" value={rule.to} onValue={(to) => onRule({ ...rule, to })} />
            </div>
          )}
          <button type="button" class="button button-danger" onClick={onForget}>
            {wallWords.forget}
          </button>
        </>
      )}
    </Dialog>
  );
}
