/** Words of messages: numbers of things, and the problem of a path. */
import { BadInputError } from '../../operator-error.ts';

/** 1 problem, 2 problems. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Problems that a verb lists; the rest is counted. */
export const PROBLEMS_LISTED = 50;
const PATH_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'lies below something that is no folder',
  EISDIR: 'is a folder; a file is needed',
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EEXIST: 'is there already',
  EROFS: 'lies on a disk that cannot be written to',
  ENAMETOOLONG: 'has too long a name',
};

/** The system's objection to a path in words; undefined for every other error. */
export function describePathProblem(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? PATH_PROBLEMS[String(error.code)] : undefined;
}

/** @throws {BadInputError} when the path, which the operator has named, is the reason for the failure */
export async function explainPathErrors<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = describePathProblem(error);
    if (problem === undefined) throw error;
    throw new BadInputError(`${path} ${problem}`, { cause: error });
  }
}
