/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** Put there by src/server.ts, and by astro.config.mjs in the development server. */
    services: import('./services.ts').Services;
    /** The client that the page is made for. */
    requester: import('./turns/fair-queue.ts').Requester;
  }
}
