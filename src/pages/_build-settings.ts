import { readConfig } from '#src/config.ts';

/** For prerendered pages, which have no services: the settings with which the site was built. */
export const { operator, baseUrl } = readConfig();
