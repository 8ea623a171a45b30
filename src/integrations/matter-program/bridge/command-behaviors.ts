import type { Behavior } from '@matter/main';
import { DoorLockServer } from '@matter/main/behaviors/door-lock';
import { FanControlServer } from '@matter/main/behaviors/fan-control';
import { IdentifyServer } from '@matter/main/behaviors/identify';
import { OnOffServer } from '@matter/main/behaviors/on-off';
import { ThermostatServer } from '@matter/main/behaviors/thermostat';
import { ValveConfigurationAndControlServer } from '@matter/main/behaviors/valve-configuration-and-control';
import { WindowCoveringServer } from '@matter/main/behaviors/window-covering';
import { Status, StatusResponseError } from '@matter/main/types';
import type { CommandOrigin, AskHub } from './ask-hub.ts';
import { createLightBehaviors } from './light-behaviors.ts';

/**
 * Clusters whose commands go to the hub and change nothing here: an attribute has a new value once a device has reported
 * it. What controllers write is forwarded after it was written, and the hub then says what holds.
 */
export function createCommandBehaviors(ask: AskHub) {
  return {
    ...switches(ask),
    ...createLightBehaviors(ask),
    ...movers(ask),
    ...climate(ask),
    Identify: class extends IdentifyServer {
      override async identify(request: { readonly identifyTime: number }) {
        if (request.identifyTime > 0) await ask(this, 'identify');
        await super.identify(request);
      }
    },
  };
}

export type CommandBehaviors = ReturnType<typeof createCommandBehaviors>;

function switches(ask: AskHub) {
  class PlainOnOff extends OnOffServer {
    override on() {
      return ask(this, 'on_off.on');
    }

    override off() {
      return ask(this, 'on_off.off');
    }

    override toggle() {
      return ask(this, this.state.onOff ? 'on_off.off' : 'on_off.on');
    }
  }
  class LightOnOff extends OnOffServer.with('Lighting') {
    override on() {
      return ask(this, 'on_off.on');
    }

    override off() {
      return ask(this, 'on_off.off');
    }

    override toggle() {
      return ask(this, this.state.onOff ? 'on_off.off' : 'on_off.on');
    }

    override offWithEffect() {
      return ask(this, 'on_off.off');
    }

    override async onWithRecallGlobalScene() {
      await ask(this, 'on_off.on');
    }

    override onWithTimedOff() {
      return ask(this, 'on_off.on');
    }
  }
  return { PlainOnOff, LightOnOff };
}

function movers(ask: AskHub) {
  class Cover extends WindowCoveringServer.with('Lift', 'PositionAwareLift') {
    override upOrOpen() {
      return this.#lift(0);
    }

    override downOrClose() {
      return this.#lift(CLOSED);
    }

    override goToLiftPercentage({ liftPercent100thsValue }: Lift) {
      return this.#lift(liftPercent100thsValue);
    }

    override async stopMotion() {
      await ask(this, 'cover.stop');
      this.state.targetPositionLiftPercent100ths = this.state.currentPositionLiftPercent100ths;
    }

    async #lift(percent100ths: number): Promise<void> {
      await ask(this, 'cover.lift', { percent100ths });
      this.state.targetPositionLiftPercent100ths = percent100ths;
    }
  }
  class Blind extends WindowCoveringServer.with('Lift', 'PositionAwareLift', 'Tilt', 'PositionAwareTilt') {
    override upOrOpen() {
      return this.#lift(0);
    }

    override downOrClose() {
      return this.#lift(CLOSED);
    }

    override goToLiftPercentage({ liftPercent100thsValue }: Lift) {
      return this.#lift(liftPercent100thsValue);
    }

    override async goToTiltPercentage({ tiltPercent100thsValue }: Tilt) {
      await ask(this, 'cover.tilt', { percent100ths: tiltPercent100thsValue });
      this.state.targetPositionTiltPercent100ths = tiltPercent100thsValue;
    }

    override async stopMotion() {
      await ask(this, 'cover.stop');
      this.state.targetPositionLiftPercent100ths = this.state.currentPositionLiftPercent100ths;
      this.state.targetPositionTiltPercent100ths = this.state.currentPositionTiltPercent100ths;
    }

    async #lift(percent100ths: number): Promise<void> {
      await ask(this, 'cover.lift', { percent100ths });
      this.state.targetPositionLiftPercent100ths = percent100ths;
    }
  }
  class Lock extends DoorLockServer {
    override lockDoor() {
      return ask(this, 'lock.lock');
    }

    override unlockDoor() {
      return ask(this, 'lock.unlock');
    }

    override unlockWithTimeout(): never {
      // The hub would have to lock it again, and nobody could rely on that.
      throw new StatusResponseError('Only LockDoor and UnlockDoor are supported', Status.UnsupportedCommand);
    }
  }
  class Valve extends ValveConfigurationAndControlServer {
    override open() {
      return ask(this, 'valve.open');
    }

    override close() {
      return ask(this, 'valve.close');
    }
  }
  return { Cover, Blind, Lock, Valve };
}

const CLOSED = 10_000;
type Lift = { readonly liftPercent100thsValue: number };
type Tilt = { readonly tiltPercent100thsValue: number };

type Written = [value: number | null, old: unknown, context: CommandOrigin['context'] | undefined];

function climate(ask: AskHub) {
  /** Forwards what a controller wrote; what the hub sets itself has no remote actor. */
  const forward = (name: string) =>
    async function forwarded(this: Behavior, ...[value, , context]: Written) {
      if (context !== undefined) await ask({ endpoint: this.endpoint, context }, name, { value });
    };
  class Heating extends ThermostatServer.with('Heating') {
    override async initialize() {
      await super.initialize();
      this.reactTo(this.events.occupiedHeatingSetpoint$Changed, forward('thermostat.heating'));
      this.reactTo(this.events.systemMode$Changed, forward('thermostat.mode'));
    }
  }
  class Cooling extends ThermostatServer.with('Cooling') {
    override async initialize() {
      await super.initialize();
      this.reactTo(this.events.occupiedCoolingSetpoint$Changed, forward('thermostat.cooling'));
      this.reactTo(this.events.systemMode$Changed, forward('thermostat.mode'));
    }
  }
  class HeatingAndCooling extends ThermostatServer.with('Heating', 'Cooling') {
    override async initialize() {
      await super.initialize();
      this.reactTo(this.events.occupiedHeatingSetpoint$Changed, forward('thermostat.heating'));
      this.reactTo(this.events.occupiedCoolingSetpoint$Changed, forward('thermostat.cooling'));
      this.reactTo(this.events.systemMode$Changed, forward('thermostat.mode'));
    }
  }
  class Fan extends FanControlServer {
    override initialize() {
      super.initialize();
      this.reactTo(this.events.percentSetting$Changed, forward('fan.percent'));
      this.reactTo(this.events.fanMode$Changed, forward('fan.mode'));
    }
  }
  return { Heating, Cooling, HeatingAndCooling, Fan };
}
