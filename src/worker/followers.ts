/** What the worker makes from the lists, kept up with the change log: name, deadline, run. */
import { entryFileWork, nameIndexWork } from './derived-file-work.ts';
import type { Follower } from './follow-changes.ts';
import { listIndexFollower } from './list-index-work.ts';
import { snapshotsFollower } from './snapshots-work.ts';

/** What clients ask for comes first. */
export const FOLLOWERS: readonly Follower[] = [
  listIndexFollower,
  entryFileWork.follower,
  nameIndexWork.follower,
  snapshotsFollower,
];
