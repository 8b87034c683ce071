/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** Set by src/server.ts, and by scripts/dev/dev-server.ts in development. */
    services: import('./services.ts').Services;
    /** The client of the page. */
    requester: import('./queues/fair-queue.ts').Requester;
  }
}
