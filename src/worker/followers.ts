/** What the worker makes from the lists, kept up with the change log: name, deadline, run. */
import type { Config } from '../config.ts';
import { createRemovedFollower } from './backup-work.ts';
import type { Follower } from './follow-changes.ts';
import { SERVING_FOLLOWERS } from './serving-work.ts';
import type { OneByOne } from './one-by-one.ts';
import { createSnapshotsFollower } from './snapshots-work.ts';

/** What clients ask for comes first. @param inTurn runs long jobs */
export function createFollowers(config: Config, inTurn: OneByOne): readonly Follower[] {
  return [...SERVING_FOLLOWERS, createSnapshotsFollower(inTurn), createRemovedFollower(config)];
}
