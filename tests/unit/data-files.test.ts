import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { DATA_FILES } from '#src/data-files.ts';
import { undoPath } from '#src/changes/undo-file.ts';
import { workerLock } from '#src/db/process-lock.ts';
import { viewsPath } from '#src/entries/views-file.ts';
import { removedPath } from '#src/removals/removed-file.ts';
import { removedKeyPath } from '#src/removals/removed-key.ts';
import { searchPath } from '#src/search/search-file.ts';

it.each([removedPath, removedKeyPath, searchPath, undoPath, viewsPath, workerLock])(
  'the names that a database may not have include that of %o',
  (pathOf) => {
    expect(DATA_FILES).toContain(basename(pathOf('/data/czujka.db')));
  },
);
