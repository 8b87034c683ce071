/** Ends slowly after its parent disconnects, and sends meanwhile, like the worker in a long job. */
import { createLog } from '#src/log.ts';
import { crashOnBug, endOnSignal, sendToParent } from '#src/process-end.ts';

const log = createLog('test', 'silent');
crashOnBug(log);
endOnSignal(log, async () => {
  sendToParent({ alive: true });
  await new Promise((resolve) => setTimeout(resolve, 100));
});
setInterval(() => {}, 1_000);
sendToParent({ ready: true });
