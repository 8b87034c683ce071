/** An operator who imports entries: what a command that ended with 0 has brought is acknowledged. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '#src/config.ts';

const CZUJKA = join(import.meta.dirname, '../czujka.ts');
const FIRST_ID = 1_000_000_000_000_000_000n;

export interface Writer {
  /**
   * Imports so many new entries into the servers list.
   * @param killAfterMs kills the command then, unless it has ended
   * @returns whether it was acknowledged
   */
  write(options?: {
    readonly entries?: number;
    readonly killAfterMs?: number;
    /** Changes entries that were acknowledged instead: nothing grows. */
    readonly again?: boolean;
    /** A command that runs the import. */
    readonly within?: readonly string[];
  }): Promise<boolean>;
  /** IDs of all entries that were acknowledged. */
  acknowledged(): readonly string[];
  newest(): string;
}

export function createWriter(databasePath: string): Writer {
  const acknowledged: string[] = [];
  let written = 0;
  return {
    async write({ entries = 1, killAfterMs, again = false, within = [] } = {}) {
      const ids = again
        ? acknowledged.slice(0, entries)
        : Array.from({ length: entries }, (_, at) => String(FIRST_ID + BigInt(written + at)));
      written += entries;
      const lines = ids.map((id) =>
        JSON.stringify({ id, name: `Serwer ${id}`, reason: `Rozdawnictwo ${written}.`, verified: true }),
      );
      const [file = '', ...args] = [...within, process.execPath, CZUJKA, 'import', '-', '--list', 'servers'];
      const child = spawn(file, args, {
        env: childEnvironment({
          DATABASE_PATH: databasePath,
          NODE_COMPILE_CACHE: join(tmpdir(), 'czujka-fault-compile-cache'),
        }),
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      // Killed before it has read all of it.
      child.stdin.on('error', () => {}).end(`${lines.join('\n')}\n`);
      const killing =
        killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      const [code] = (await once(child, 'exit')) as [number | null];
      clearTimeout(killing);
      if (code === 0 && !again) acknowledged.push(...ids);
      return code === 0;
    },
    acknowledged: () => acknowledged,
    newest: () => acknowledged.at(-1) ?? '',
  };
}
