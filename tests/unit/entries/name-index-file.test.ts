import { openSync, readFileSync, readSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { createNameIndex, makeNameIndexParts } from '#src/entries/name-index.ts';
import {
  eraseKey,
  eraseNames,
  NameIndexFileError,
  nameIndexPath,
  readNameIndex,
  readNameIndexHeader,
  writeNameIndex,
} from '#src/entries/name-index-file.ts';
import { join } from 'node:path';
import { makeFolder } from '../../support/temporary-database.ts';

const MOMENT = { history: 'abc', seq: 7, popularity: '3' };
const NAMES = ['zenek', 'markerek', 'stary zenek', 'zażółć'];

describe('the file of the name index', () => {
  let path: string;

  beforeEach(() => {
    path = nameIndexPath(join(makeFolder(), 'czujka.db'));
    const text = Buffer.from(`|${NAMES.map((name) => `${name}|`).join('')}`);
    for (const [at, byte] of text.entries()) if (byte === 0x7c) text[at] = 0xff;
    const end = text.length - 1;
    const rows = Uint32Array.from(NAMES, (_, number) => 11 + number);
    const parts = makeNameIndexParts({ text: new Uint8Array(text), rows, listEnds: [end, end, end] });
    const keys = Uint32Array.from(NAMES, (_, number) => eraseKey(`id-${number}`));
    renameSync(writeNameIndex(path, { ...parts, keys }, MOMENT), path);
  });

  const findRows = async (piece: string): Promise<number[]> => {
    const { names } = await readNameIndex(path);
    const [found = []] = createNameIndex(names).find(piece, 21, () => false);
    return found.map(({ row }) => row);
  };

  it('tells what it was made for, and gives back what was written', async () => {
    const header = await readNameIndexHeader(path);
    expect(header).toMatchObject({ ...MOMENT, entries: 4 });
    expect((await readNameIndex(path)).header).toEqual(header);
    expect(await findRows('zenek')).toEqual([11, 13]);
    expect(await findRows('zażółć')).toEqual([14]);
  });

  it('is only for its owner to read', () => {
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('is refused wherever it is cut off', async () => {
    const { size } = statSync(path);
    const whole = readFileSync(path);
    for (const length of [0, 1, 1_023, 1_024, size / 2, size - 1]) {
      writeFileSync(path, whole);
      truncateSync(path, length);
      await expect(readNameIndex(path), `${length}`).rejects.toThrow(NameIndexFileError);
    }
    writeFileSync(path, Buffer.concat([whole, Buffer.alloc(8)]));
    await expect(readNameIndex(path)).rejects.toThrow(NameIndexFileError);
  });

  it('is refused whichever byte of the header or of a section is another', async () => {
    const { lengths } = await readNameIndexHeader(path);
    const whole = readFileSync(path);
    const sections = lengths.map((length, at) => {
      const before = lengths.slice(0, at).reduce((sum, size) => sum + Math.ceil(size / 8) * 8, 1_024);
      return [before, before + length - 1];
    });
    for (const at of [0, 20, 60, ...sections.flat()]) {
      const broken = Buffer.from(whole);
      broken.writeUInt8((broken.readUInt8(at) + 1) % 256, at);
      writeFileSync(path, broken);
      await expect(readNameIndex(path), `byte ${at}`).rejects.toThrow(NameIndexFileError);
    }
  });

  it('does not hold a name any more that was erased, and finds the others', async () => {
    expect(readFileSync(path).includes('markerek')).toBe(true);
    expect(await eraseNames(path, ['id-1', 'id-99'], () => true)).toBe(1);
    expect(readFileSync(path).includes('marker')).toBe(false);
    expect(await findRows('markerek')).toEqual([]);
    expect(await findRows('ek')).toEqual([11, 13]);
    expect(await findRows('zenek')).toEqual([11, 13]);
    expect(await findRows('z')).toEqual([11, 14, 13]);
    expect(await eraseNames(path, ['id-1'], () => true)).toBe(0);
  });

  it('overwrites the old bytes themselves', async () => {
    const file = openSync(path, 'r');
    await eraseNames(path, ['id-1'], () => true);
    const same = Buffer.alloc(statSync(path).size);
    readSync(file, same);
    expect(same.includes('marker')).toBe(false);
  });

  it('keeps a name whose entry is still there', async () => {
    expect(await eraseNames(path, ['id-1'], () => false)).toBe(0);
    expect(await findRows('markerek')).toEqual([12]);
  });

  it('is refused when erasing ended half-way', async () => {
    const { lengths } = await readNameIndexHeader(path);
    const broken = readFileSync(path);
    const text = 1_024 + Math.ceil((lengths[0] ?? 0) / 8) * 8;
    broken.fill(0xfe, text + 1, text + 6);
    writeFileSync(path, broken);
    await expect(readNameIndex(path)).rejects.toThrow(NameIndexFileError);
  });
});
