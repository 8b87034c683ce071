import { readConfig } from '#src/config.ts';

/** The settings that pages show: of the build on prerendered pages, of the running process on the others. */
export const { operator, baseUrl } = readConfig();
