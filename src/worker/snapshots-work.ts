/** The snapshots of the lists for mirrors, in the worker. */
import { publishSnapshots } from '../entries/snapshots/publish-snapshots.ts';
import type { Follower } from './follow-changes.ts';
import type { OneByOne } from './one-by-one.ts';

const HOUR_MS = 3_600_000;

/** @param inTurn runs long jobs */
export const createSnapshotsFollower = (inTurn: OneByOne): Follower => ({
  name: 'snapshots',
  // A backup that runs before it may take an hour.
  deadlineMs: 2 * HOUR_MS,
  run: ({ db, signal }) => inTurn(() => publishSnapshots(db, signal)),
});
