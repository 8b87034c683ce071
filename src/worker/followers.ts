/** What the worker makes from the lists, kept up with the change log: name, deadline, run. */
import type { Follower } from './follow-changes.ts';
import { servingFollower } from './serving-work.ts';
import { snapshotsFollower } from './snapshots-work.ts';

/** What clients ask for comes first. */
export const FOLLOWERS: readonly Follower[] = [servingFollower, snapshotsFollower];
