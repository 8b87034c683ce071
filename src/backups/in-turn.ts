/** Reading all images and backups each day takes too long where there are many. */
const TURNS = 28;
const DAY_MS = 86_400_000;

/**
 * Yields those whose turn it is first; each has its turn once in 28 days.
 * @param forMs the others are to be read, too, as long as this has not passed
 */
export function* inTurn(hashes: readonly string[], now: number, forMs: number) {
  const end = performance.now() + forMs;
  const day = Math.floor(now / DAY_MS);
  const turnOf = (sha256: string): number => (Number.parseInt(sha256.slice(0, 4), 16) + day) % TURNS;
  const turns = hashes.map((sha256) => ({ sha256, turn: turnOf(sha256) }));
  for (const { sha256, turn } of turns.sort((one, other) => one.turn - other.turn))
    yield { sha256, isRead: turn === 0 || performance.now() < end };
}
