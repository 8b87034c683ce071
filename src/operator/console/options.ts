/** Options that several commands share, checked where commander reads them. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { LIST_KINDS, type ListKind } from '../../entries/entry.ts';

/** Names standard input or output in the place of a file. */
export const STANDARD_INPUT = '-';

export interface Target {
  list: ListKind;
}

export const IDENTIFIERS = 'chat-platform ID, report number or _id';

export function listOption(): Option {
  return new Option('--list <list>', 'which list').choices([...LIST_KINDS]);
}

/** For a verb that works on one entry of one list. */
export function ofEntry(verb: Command): Command {
  return verb.argument('<id>', IDENTIFIERS).addOption(listOption().makeOptionMandatory());
}

/** @throws {InvalidArgumentError} for anything but a whole number from `min` to `max` */
export function wholeNumber(min: number, max = Infinity) {
  return (value: string): number => {
    if (!/^\d{1,15}$/.test(value) || Number(value) < min || Number(value) > max) {
      const most = max === Infinity ? '' : `, and at most ${max},`;
      throw new InvalidArgumentError(`A whole number of at least ${min}${most} is needed.`);
    }
    return Number(value);
  };
}
