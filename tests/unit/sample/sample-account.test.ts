import { describe, expect, it } from 'vitest';
import { Random } from '../../../scripts/sample/random.ts';
import { createdMsOf, sampleAccount } from '../../../scripts/sample/sample-account.ts';

const now = Date.UTC(2026, 10, 20, 12);
const LAP = 1 << 20; // records of one list until the low bits of IDs repeat

function accountAt(index: number, draw: number): ReturnType<typeof sampleAccount> {
  return sampleAccount(new Random(draw), { list: 'servers', seed: 5, index, now });
}

describe('sampleAccount', () => {
  it('writes the time of creation into the ID', () => {
    const { id, createdMs } = accountAt(3, 1);
    expect(createdMsOf(id)).toBe(createdMs);
  });

  it('gives every index of a lap its own low bits', () => {
    const lows = new Set<bigint>();
    for (let index = 0; index < 50_000; index++) lows.add(BigInt(accountAt(index * 20, 1).id) & 0x3fffffn);
    expect(lows.size).toBe(50_000);
  });

  it('keeps IDs apart after a lap, even for the very same drawn times', () => {
    const ids = [0, 1, 2, 3].map((lap) => accountAt(77 + lap * LAP, 1).id);
    expect(new Set(ids.map((id) => BigInt(id) & 0x3fffffn)).size).toBe(1);
    expect(new Set(ids).size).toBe(4);
  });
});
