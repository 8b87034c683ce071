/**
 * This prepares the start of the service, and sends what it needs by an IPC channel.
 * Usage: prepare.ts <folder for compiled code>
 */
import { enableCompileCache } from 'node:module';

// What is loaded from here on, web and worker load, too.
enableCompileCache(process.argv[2]);
const { checkStart } = await import('./check-start.ts');
const facts = await checkStart();
if (facts) {
  // So that the supervisor finds its own code there.
  await import('./run-service.ts');
  await import('./metrics-server.ts');
  process.send?.(facts);
}
process.disconnect?.();
