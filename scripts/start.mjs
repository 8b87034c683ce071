/**
 * `npm start`: migrates the real database, then runs web and worker until a signal ends them. What checks and migrates is
 * a process of its own, which takes its memory along; this file has no types, because to take types out Node needs 18 MB.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Unless the environment names a lasting folder. Restarted processes answer 0.3 s sooner.
const codeFolder = join(tmpdir(), `czujka-code-${randomUUID()}`);
enableCompileCache(codeFolder);
const child = fork(join(import.meta.dirname, '../src/supervisor/prepare.ts'), [codeFolder]);
const leave = (signal) => child.kill(signal) && process.kill(process.pid, signal);
process.once('SIGINT', leave).once('SIGTERM', leave);
let facts;
child.on('message', (message) => (facts = message));
child.on('exit', async (code) => {
  process.off('SIGINT', leave).off('SIGTERM', leave);
  if (facts) {
    const { runService } = await import('../src/supervisor/run-service.ts');
    process.exitCode = await runService(facts, codeFolder);
  } else {
    process.exitCode = code ?? 2;
  }
  rmSync(codeFolder, { recursive: true, force: true });
});
