import { Bytes } from '@matter/main';
import { type CommandModel, Metatype, type ValueModel } from '@matter/main/model';
import { Status, StatusResponseError } from '@matter/main/types';
import { isJsonObject, type JsonValue } from '#base/json.ts';

type Model = Pick<ValueModel | CommandModel, 'effectiveMetatype' | 'members'> & {
  readonly listEntry?: Model | undefined;
};

/** A value as the library takes it: where the hub has the digits of bytes, it wants the bytes. */
export function libraryValue(model: Model | undefined, value: JsonValue): unknown {
  if (model === undefined) return value;
  if (typeof value === 'string') return model.effectiveMetatype === Metatype.bytes ? Bytes.fromHex(value) : value;
  if (Array.isArray(value)) return value.map((item) => libraryValue(model.listEntry, item as JsonValue));
  if (!isJsonObject(value)) return value;
  const members = new Map([...model.members].map((member) => [member.propertyName, member as Model]));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, libraryValue(members.get(name), one)]));
}

/**
 * A device may take a command and say no in its answer: to a mode that it cannot change to, to a start without water.
 * Throws StatusResponseError for these.
 */
export function checkAnswer(data: unknown): void {
  if (!isJsonObject(data)) return;
  const { status, commandResponseState: state } = data;
  const error = isJsonObject(state) ? state['errorStateId'] : status;
  if (typeof error === 'number' && error !== 0) {
    throw new StatusResponseError(`the device said no (${error})`, Status.InvalidInState);
  }
}
