/** Derived data that the worker keeps up with the change log: name, deadline, run. */
import type { Config } from '../config.ts';
import { publishSnapshots } from '../entries/snapshots/publish-snapshots.ts';
import { createRemovedFollower } from './backup-work.ts';
import type { Follower } from './follow-changes.ts';
import { INDEX_FOLLOWERS } from './index-work.ts';
import type { OneByOne } from './one-by-one.ts';

const HOUR_MS = 3_600_000;

/** @param inTurn runs long jobs */
export const createSnapshotsFollower = (inTurn: OneByOne): Follower => ({
  name: 'snapshots',
  // A backup that runs before it may take an hour.
  deadlineMs: 2 * HOUR_MS,
  run: ({ db, signal }) => inTurn(() => publishSnapshots(db, signal)),
});

/** Jobs that clients wait for come first. @param inTurn runs long jobs */
export function createFollowers(config: Config, inTurn: OneByOne): readonly Follower[] {
  return [...INDEX_FOLLOWERS, createSnapshotsFollower(inTurn), createRemovedFollower(config)];
}
