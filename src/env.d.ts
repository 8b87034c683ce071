/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** Put there by src/server.ts, and by astro.config.mjs in the development server. */
    services: import('./services.ts').Services;
    /** Those who wait for the page. */
    waiters: import('./http/waiters.ts').Waiters;
  }
}
