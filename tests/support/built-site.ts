import { buildIfNeeded } from '../../scripts/build.ts';

/** Tests of what the site answers: a single file of them, too, meets the pages of now. */
export default function setUp(): void {
  buildIfNeeded();
}
