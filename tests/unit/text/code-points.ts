/** Code points that folding may change; the others are ideographs that stay, or unassigned. */
const RANGES = [
  [0, 0x1_ffff],
  // Compatibility ideographs, tags and variation selectors.
  [0x2_f800, 0x2_fa1f],
  [0xe_0000, 0xe_0fff],
] as const;

export const CODE_POINTS: readonly number[] = RANGES.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at),
);
