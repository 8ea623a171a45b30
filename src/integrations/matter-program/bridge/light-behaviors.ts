import { ColorControlServer } from '@matter/main/behaviors/color-control';
import { LevelControlServer } from '@matter/main/behaviors/level-control';
import type { AskHub } from './ask-hub.ts';

/** The library gives these arguments to each, in its order. */
type LevelStep = [mode: number, size: number, transitionTime: number | null, withOnOff: boolean];
type WhiteStep = [mode: number, size: number, transitionTime: number, low: number, high: number];
type WhiteMove = [mode: number, rate: number, low: number, high: number];

/** The clusters of lights, as `createCommandBehaviors` has them. */
export function createLightBehaviors(ask: AskHub) {
  class Level extends LevelControlServer.with('OnOff', 'Lighting') {
    override moveToLevelLogic(level: number, transitionTime: number | null, withOnOff: boolean) {
      return ask(this, 'level.set', { level, transitionTime, withOnOff });
    }

    override moveLogic(moveMode: number, _rate: number | null, withOnOff: boolean) {
      const level = moveMode === UP ? this.maxLevel : this.minLevel;
      return ask(this, 'level.set', { level, transitionTime: null, withOnOff });
    }

    override stepLogic(...[mode, size, transitionTime, withOnOff]: LevelStep) {
      const wanted = (this.state.currentLevel ?? this.minLevel) + (mode === UP ? size : -size);
      const level = Math.min(this.maxLevel, Math.max(this.minLevel, wanted));
      return ask(this, 'level.set', { level, transitionTime, withOnOff });
    }

    // The hub has no moves that go on until they are stopped.
    override stopLogic() {}

    // The hub says both.
    override handleOnOffChange() {}
  }
  class White extends ColorControlServer.with('ColorTemperature') {
    override setColorMode() {}
    override syncColorTemperatureWithLevelLogic() {}
    override moveToColorTemperatureLogic(mireds: number, transitionTime: number) {
      return ask(this, 'color.white', { mireds, transitionTime });
    }

    override stepColorTemperatureLogic(...[mode, size, transitionTime, low, high]: WhiteStep) {
      const wanted = this.state.colorTemperatureMireds + (mode === STEP_UP ? size : -size);
      return ask(this, 'color.white', { mireds: Math.min(high, Math.max(low, wanted)), transitionTime });
    }

    override moveColorTemperatureLogic(...[mode, , low, high]: WhiteMove) {
      return ask(this, 'color.white', { mireds: mode === STEP_UP ? high : low, transitionTime: 0 });
    }

    override stopMoveStepLogic() {}
  }
  class Color extends ColorControlServer.with('Xy', 'ColorTemperature', 'HueSaturation') {
    override setColorMode() {}
    override syncColorTemperatureWithLevelLogic() {}
    override moveToColorTemperatureLogic(mireds: number, transitionTime: number) {
      return ask(this, 'color.white', { mireds, transitionTime });
    }

    override stepColorTemperatureLogic(...[mode, size, transitionTime, low, high]: WhiteStep) {
      const wanted = this.state.colorTemperatureMireds + (mode === STEP_UP ? size : -size);
      return ask(this, 'color.white', { mireds: Math.min(high, Math.max(low, wanted)), transitionTime });
    }

    override moveColorTemperatureLogic(...[mode, , low, high]: WhiteMove) {
      return ask(this, 'color.white', { mireds: mode === STEP_UP ? high : low, transitionTime: 0 });
    }

    override moveToColorLogic(x: number, y: number, transitionTime: number) {
      return ask(this, 'color.xy', { x, y, transitionTime });
    }

    override stepColorLogic(stepX: number, stepY: number, transitionTime: number) {
      const [x, y] = [this.state.currentX + stepX, this.state.currentY + stepY];
      return ask(this, 'color.xy', { x, y, transitionTime });
    }

    override moveToHueAndSaturationLogic(hue: number, saturation: number, transitionTime: number) {
      return ask(this, 'color.hue', { hue, saturation, transitionTime });
    }

    override moveToHueLogic(hue: number, _direction: number, transitionTime: number) {
      return ask(this, 'color.hue', { hue, saturation: this.state.currentSaturation, transitionTime });
    }

    override moveToSaturationLogic(saturation: number, transitionTime: number) {
      return ask(this, 'color.hue', { hue: this.state.currentHue, saturation, transitionTime });
    }

    override stepHueLogic(mode: number, size: number, transitionTime: number) {
      const hue = (this.state.currentHue + (mode === STEP_UP ? size : -size) + TURN) % TURN;
      return ask(this, 'color.hue', { hue, saturation: this.state.currentSaturation, transitionTime });
    }

    override stepSaturationLogic(mode: number, size: number, transitionTime: number) {
      const wanted = this.state.currentSaturation + (mode === STEP_UP ? size : -size);
      const saturation = Math.min(MOST, Math.max(0, wanted));
      return ask(this, 'color.hue', { hue: this.state.currentHue, saturation, transitionTime });
    }

    override moveHueLogic() {}
    override moveSaturationLogic() {}
    override moveColorLogic() {}
    override stopHueAndSaturationMovement() {}
    override stopAllColorMovement() {}
    override stopMoveStepLogic() {}
  }
  return { Level, White, Color };
}

/** The number for up in LevelControl's moves and steps. */
const UP = 0;
/** The number for up in ColorControl's steps; its moves have the same number for it. */
const STEP_UP = 1;
const MOST = 254;
const TURN = 255;
