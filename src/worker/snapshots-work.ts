/** The snapshots of the lists for mirrors, in the worker. */
import { publishSnapshots } from '../entries/snapshots/publish-snapshots.ts';
import type { Follower } from './follow-changes.ts';

const MINUTE_MS = 60_000;

export const snapshotsFollower: Follower = {
  name: 'snapshots',
  // A million entries for the first time take some minutes on a busy machine.
  deadlineMs: 15 * MINUTE_MS,
  run: ({ db, signal }) => publishSnapshots(db, signal),
};
