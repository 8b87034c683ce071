/** One open `czujka batch`, which starts again when it ends; a line without an answer is sent again. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

const TRIES = 3;
const PAUSE_MS = 1_000;
const ENDED = { ok: false, error: { code: 'busy', message: 'batch ended; try again' } };

export function openBatch(command) {
  let batch;
  const start = () => {
    const [program, ...args] = command.split(' ');
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const waiting = [];
    const end = () => {
      if (batch?.child === child) batch = undefined;
      for (const answer of waiting.splice(0)) answer(ENDED);
    };
    child.once('error', end).once('close', end);
    child.stdin.on('error', end);
    createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line)));
    return { child, waiting };
  };
  const ask = (request) => {
    batch ??= start();
    batch.child.stdin.write(`${JSON.stringify(request)}\n`);
    return new Promise((answer) => batch.waiting.push(answer));
  };
  /** @param args what a stranger wrote goes as `--name=VALUE` @param files base64 by the name in `args` */
  return async (args, files = {}) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await ask({ args, files });
      if (answer.error?.code !== 'busy' || tries === TRIES) return answer;
      await setTimeout(PAUSE_MS);
    }
  };
}
