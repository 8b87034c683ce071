/** What the worker makes from the lists, kept up with the change log: name, deadline, run. */
import { entryFileFollower } from './entry-file-work.ts';
import type { Follower } from './follow-changes.ts';
import { listIndexFollower } from './list-index-work.ts';
import { nameIndexFollower } from './name-index-work.ts';
import { snapshotsFollower } from './snapshots-work.ts';

/** What clients ask for comes first. */
export const FOLLOWERS: readonly Follower[] = [
  listIndexFollower,
  entryFileFollower,
  nameIndexFollower,
  snapshotsFollower,
];
