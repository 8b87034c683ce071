import { readCheckInput } from './check-input.ts';

/** @returns undefined for valid IDs, and for odd ones that may be meant */
export function findMistakenId(id: string): string | undefined {
  const subject = readCheckInput(id);
  if (subject.kind === 'id')
    return subject.id === id ? undefined : `is not only an ID: did you mean ${subject.id}?`;
  if (subject.kind === 'doubt')
    return subject.doubt === 'several'
      ? 'holds several IDs: give one'
      : 'is a link that names no ID: give the ID';
  return /\s/.test(id) ? 'has white space in it: give the ID alone' : undefined;
}
