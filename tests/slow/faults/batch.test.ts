import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { answerSchema } from '#src/operator/batch-protocol.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makePhoto } from '../../support/make-image.ts';
import { makeMigratedCommandLine, toNdjson } from '../../support/run-czujka.ts';
import { trials } from '../../support/trials.ts';

const KILLS = trials(5, 60);
const RECORDS = 3;
/** Some lines after the first. */
const LIFE_MS = 500;

it(
  `${KILLS} kills of a batch leave each line whole or not at all, and every line that was answered`,
  { timeout: trials(120_000, 600_000) },
  async () => {
    const operator = await makeMigratedCommandLine();
    const picture = (await makePhoto()).toString('base64');
    const proofs = { private: false, items: [{ file: 'a.jpg' }] };
    /** Report numbers of lines that were sent, and of those that were answered. */
    const [sent, answered] = [new Set<string>(), new Set<string>()];
    const makeLine = (tag: string): string => {
      sent.add(tag);
      const records = Array.from({ length: RECORDS }, (_, at) =>
        makeRecord({ reportId: `R-${tag}-${at}`, proofs }),
      );
      const list = Buffer.from(toNdjson(records)).toString('base64');
      const files = { list, 'a.jpg': picture };
      return `${JSON.stringify({ tag, args: ['import', 'list', '--list', 'servers'], files })}\n`;
    };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = operator.start(['batch']);
      const ended = once(child, 'exit');
      child.stdin.on('error', () => {});
      let at = 0;
      const send = (): boolean => child.stdin.write(makeLine(`${kill}-${at++}`));
      send();
      for await (const line of createInterface({ input: child.stdout })) {
        const answer = answerSchema.parse(JSON.parse(line));
        expect(answer).toMatchObject({ ok: true, result: { added: RECORDS } });
        answered.add(String(answer.tag));
        if (at === 1) void setTimeout(LIFE_MS * Math.random()).then(() => child.kill('SIGKILL'));
        send();
      }
      expect(await ended).toEqual([null, 'SIGKILL']);
      operator.read((db) => {
        const stored = db.statement<string>('SELECT report_id FROM entries').pluck().all();
        const lines = Map.groupBy(stored, (reportId) => reportId.replace(/^R-(.*)-\d+$/, '$1'));
        for (const [line, { length }] of lines) expect(length, line).toBe(RECORDS);
        expect(answered.difference(new Set(lines.keys()))).toEqual(new Set());
        expect(new Set(lines.keys()).difference(sent)).toEqual(new Set());
        expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok');
      });
    }
  },
);
