import { Choice } from '#web/form/choice.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { CloseButton, Dialog } from '#web/parts/dialog.tsx';
import { w } from '#web/strings/home/wall-strings.ts';
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
    <Dialog title={w.settings} onClose={onClose}>
      {(close) => (
        <>
          <fieldset class="choice-list">
            <legend class="field-label">{w.night}</legend>
            {NIGHT_WAYS.map((way) => (
              <Choice
                key={way}
                type="radio"
                name="night"
                label={w.nights[way]}
                note={way === 'sun' ? w.sunNote : undefined}
                isChosen={rule.way === way}
                onChoice={() => onRule({ ...rule, way })}
              />
            ))}
          </fieldset>
          {rule.way === 'never' ? null : (
            <div class="wall-times">
              <TextField label={w.from} type="time" value={rule.from} onValue={(from) => onRule({ ...rule, from })} />
              <TextField label={w.to} type="time" value={rule.to} onValue={(to) => onRule({ ...rule, to })} />
            </div>
          )}
          <button type="button" class="button button-danger" onClick={onForget}>
            {w.forget}
          </button>
          <CloseButton close={close} />
        </>
      )}
    </Dialog>
  );
}
