/** What the worker makes from the lists, kept up with the change log: name, deadline, run. */
import type { Config } from '../config.ts';
import { createRemovedFollower } from './backup-work.ts';
import type { Follower } from './follow-changes.ts';
import { SERVING_FOLLOWERS } from './serving-work.ts';
import { snapshotsFollower } from './snapshots-work.ts';

/** What clients ask for comes first. */
export function createFollowers(config: Config): readonly Follower[] {
  return [...SERVING_FOLLOWERS, snapshotsFollower, createRemovedFollower(config)];
}
