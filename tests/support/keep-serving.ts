/** Makes the read model as the worker does, and brings it to the newest change. */
import type { Database } from '#src/db/database.ts';
import { createServingKeeper } from '#src/serving/keep-serving.ts';

export function keepServing(db: Database): void {
  const keeper = createServingKeeper(db);
  while (keeper.step());
  keeper.close();
}
