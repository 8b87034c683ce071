/** Marks a database whose entries are invented: `seed` fills no other. */
export const SAMPLE_PROPERTY = 'sample';
