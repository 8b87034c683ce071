/** Looks at some answers while the load goes on: a fast wrong answer is worth nothing. */
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { expectedAnswer } from './expected-answer.ts';

export interface AnswerCheck {
  /** @returns how many of the answers were not what they have to be */
  end(): Promise<number>;
}

const PAUSE_MS = 100;
/** So many answers are worked out beforehand, or as many as can be in this time: not while others are measured. */
const EXPECTED_MAX = 64;
const EXPECTED_MS = 4_000;
/** Addresses that no load comes from; each asks seldom enough for every rate limit. */
const CLIENTS = 250;

/** Asks for one of the paths ten times a second. */
export function checkAnswers(origin: string, databasePath: string, paths: readonly string[]): AnswerCheck {
  const expected = expectSome(databasePath, paths);
  let isEnded = false;
  const run = async (): Promise<number> => {
    let wrong = 0;
    for (let asked = 0; !isEnded; asked += 1) {
      const [path, body] = expected[asked % expected.length] ?? ['', undefined];
      // One that does not come is wrong too.
      if (!(await isRight(origin, path, `10.250.0.${asked % CLIENTS}`, body).catch(() => false))) wrong += 1;
      await setTimeout(PAUSE_MS);
    }
    return wrong;
  };
  const checking = run();
  return {
    end() {
      isEnded = true;
      return checking;
    },
  };
}

/** @returns paths, each with its answer where that can be worked out from the entries */
function expectSome(
  databasePath: string,
  paths: readonly string[],
): (readonly [string, string | undefined])[] {
  const db = openDatabase(databasePath, 'read');
  try {
    const expected: (readonly [string, string | undefined])[] = [];
    const begun = performance.now();
    for (let at = 0; at < Math.min(EXPECTED_MAX, paths.length); at += 1) {
      const path = paths[(at * 7_919) % paths.length] ?? '';
      expected.push([path, expectedAnswer(db, path)]);
      if (performance.now() - begun > EXPECTED_MS) break;
    }
    return expected;
  } finally {
    db.close();
  }
}

async function isRight(
  origin: string,
  path: string,
  client: string,
  expected: string | undefined,
): Promise<boolean> {
  const answer = await fetch(origin + path, { headers: { 'X-Forwarded-For': client } });
  const body = await answer.text();
  return answer.status === 200 && (expected === undefined || body === expected);
}
