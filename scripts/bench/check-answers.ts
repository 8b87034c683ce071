/** Looks at some answers while the load goes on: a fast wrong answer is worth nothing. */
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { expectedAnswer } from './expected-answer.ts';

export interface AnswerCheck {
  /** @returns how many of the answers were not what they have to be */
  end(): Promise<number>;
}

const PAUSE_MS = 100;
/** Addresses that no load comes from; each asks seldom enough for every rate limit. */
const CLIENTS = 250;

/** Asks for one of the paths ten times a second. */
export function checkAnswers(origin: string, databasePath: string, paths: readonly string[]): AnswerCheck {
  let isEnded = false;
  const run = async (): Promise<number> => {
    const db = openDatabase(databasePath, 'read');
    let wrong = 0;
    try {
      for (let asked = 0; !isEnded; asked += 1) {
        const path = paths[(asked * 7_919) % paths.length] ?? '';
        const expected = expectedAnswer(db, path);
        // One that does not come is wrong too.
        if (!(await isRight(origin, path, `10.250.0.${asked % CLIENTS}`, expected).catch(() => false)))
          wrong += 1;
        await setTimeout(PAUSE_MS);
      }
    } finally {
      db.close();
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
