import { readConfig } from '#src/config.ts';

/** The settings that pages show: of the build for prerendered pages, of the running process for the others. */
export const { operator, baseUrl } = readConfig();
